"""Compose stories (title and paragraphs) from the templates of a topic."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.demo.draws import Draws
from topiccrawl.demo.vocabulary import fill, load_vocabulary

#: Sentences in the body of a story without lead and end; about 300 to 1,500 characters.
FEWEST_SENTENCES = 7
MOST_SENTENCES = 28


@dataclass(frozen=True, slots=True)
class Story:
    """The content of an article, independent of the layout of a site."""

    key: str
    """Identity of the story; reprints share it."""
    topic: str
    title: str
    paragraphs: tuple[str, ...]

    @property
    def text(self) -> str:
        """The paragraphs, one per line."""
        return "\n".join(self.paragraphs)


def story_title(seed: int, topic: str, key: str) -> str:
    """Return only the title of a story, for lists of links."""
    return _title(seed, topic, key, {})


def compose(seed: int, topic: str, key: str) -> Story:
    """Compose the story *key* of *topic*: one lead, 7 to 28 body sentences, one end."""
    vocabulary = load_vocabulary(topic)
    fixed: dict[str, str] = {}
    title = _title(seed, topic, key, fixed)
    draws = Draws(seed, "body", topic, key)
    wanted = FEWEST_SENTENCES + draws.below(MOST_SENTENCES - FEWEST_SENTENCES + 1)
    bodies = vocabulary.bodies
    # At most two thirds of the sentences, so that two long stories remain different.
    chosen = draws.sample(min(wanted, len(bodies) * 2 // 3), len(bodies))
    sentences = [fill(bodies[index], draws, fixed) for index in chosen]
    space = " " if topic == "english" else ""
    paragraphs = [fill(draws.pick(vocabulary.leads), draws, fixed)]
    while sentences:
        taken = 1 + draws.below(4)
        paragraphs.append(space.join(sentences[:taken]))
        sentences = sentences[taken:]
    paragraphs.append(fill(draws.pick(vocabulary.ends), draws, fixed))
    return Story(key, topic, title, tuple(paragraphs))


def _title(seed: int, topic: str, key: str, fixed: dict[str, str]) -> str:
    draws = Draws(seed, "title", topic, key)
    return fill(draws.pick(load_vocabulary(topic).titles), draws, fixed)
