"""Weights of the judge of new words; written by ``python -m benchmarks.vocabulary fit``.

Fitted to the People's Daily of January 1998 (1.9 million characters, as ten texts, two and one).
"""

from __future__ import annotations

#: Constants: names cut, whole names.
BIAS = (-13.79, -11.67)
#: Weights of each feature: names cut, whole names.
WEIGHTS = {
    "log_count": (0.1522, 0.3435),
    "once": (1.248, 1.825),
    "cohesion": (0.2013, 0.2541),
    "cohesion_share": (-2.087, -1.886),
    "least_entropy": (0.748, 0.2111),
    "left_largest": (-0.4392, -0.4627),
    "right_largest": (-0.1035, -1.482),
    "starts_token": (1.888, 0.2789),
    "ends_token": (2.994, -0.07909),
    "both": (0.9472, 2.099),
    "whole_token": (-2.4, 2.139),
    "inner_starts": (-0.04267, -0.1191),
    "singles": (-3.606, 1.562),
    "prefix_known": (2.297, 0.9418),
    "suffix_known": (0.3969, 0.4226),
    "two_words": (-1.351, -1.13),
    "word_inside": (-3.582, -2.09),
    "first_begin": (0.4599, 1.597),
    "first_single": (-4.68, -7.184),
    "last_end": (0.05679, 2.021),
    "last_single": (-3.505, -3.011),
    "middle": (1.877, 2.799),
    "least_single": (3.015, 3.337),
    "surname": (0.1117, 0.7483),
    "given": (3.661, 2.083),
    "place_end": (-0.5225, -0.9554),
    "name_end": (0.2742, 1.842),
    "numerals": (1.253, 1.232),
    "numeral_first": (-0.8935, -1.272),
    "unit_last": (0.3826, 0.2831),
    "length_2": (5.783, 3.957),
    "length_3": (2.217, 2.165),
    "length_4": (0.7266, 0.9324),
    "person": (-4.821, 0.7596),
    "name_2": (0.9288, 1.024),
    "name_3": (1.25, 2.045),
    "left_surname": (4.787, -0.5253),
    "left_single": (3.213, 0.5546),
    "right_single": (0.8206, 0.8172),
    "left_border": (0.109, -0.1714),
    "right_border": (0.3862, -0.2097),
}
