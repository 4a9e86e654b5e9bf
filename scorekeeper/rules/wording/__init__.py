"""The wording of every house option, by group: the question, a heading, and each answer's label and sentence.

`phrases.placeholders` fills the braces in a text; `{n}` is a number that was answered. An answer is named as in
files and forms: yes, no, none, or one of the option's own words. `n` stands for any number.
"""
