"""Weights of the judge of new words; written by ``python -m benchmarks.vocabulary fit``.

Fitted to the People's Daily of January 1998 (1.9 million characters, as ten texts, two and one).
"""

from __future__ import annotations

#: Constants: names cut, whole names.
BIAS = (-13.55, -13.56)
#: Weights of each feature: names cut, whole names.
WEIGHTS = {
    "log_count": (0.07051, 0.5575),
    "cohesion": (0.753, 1.163),
    "cohesion_share": (-6.106, -8.973),
    "left_entropy": (-0.2928, -0.7343),
    "right_entropy": (-0.05209, -0.5693),
    "least_entropy": (1.036, 1.078),
    "left_largest": (-0.2197, -0.6542),
    "right_largest": (0.1852, -1.453),
    "starts_token": (1.995, 1.14),
    "ends_token": (3.038, 0.7935),
    "both": (0.8863, 1.891),
    "whole_token": (-2.033, 1.857),
    "inner_starts": (-0.0796, 0.7634),
    "singles": (-2.604, 0.8266),
    "prefix_known": (1.909, 0.5365),
    "suffix_known": (0.2438, 0.3049),
    "two_words": (-2.274, -2.204),
    "word_inside": (-3.197, -1.574),
    "first_begin": (-0.1165, 1.498),
    "first_single": (-5.414, -7.464),
    "last_end": (0.5626, 1.749),
    "last_single": (-4.418, -3.555),
    "middle": (0.9444, 2.671),
    "least_single": (0.2653, -1.459),
    "surname": (0.925, 0.5912),
    "given": (3.472, 1.86),
    "place_end": (-0.2234, -1.183),
    "name_end": (0.7094, 2.788),
    "numerals": (1.281, 0.6512),
    "numeral_first": (-0.9113, -1.006),
    "unit_last": (0.2889, 0.3235),
    "length_2": (5.749, 5.332),
    "length_3": (2.78, 2.963),
    "length_4": (1.186, 1.417),
    "person": (-5.085, 0.7753),
    "name_2": (0.03268, 0.6559),
    "name_3": (0.4271, 2.264),
    "left_surname": (3.745, -0.7293),
    "left_single": (2.439, -0.02924),
    "right_single": (0.03927, -0.02686),
    "left_border": (0.03781, -0.1727),
    "right_border": (0.4085, -0.2433),
}
