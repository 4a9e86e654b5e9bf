"""Sentences about sides called Us and Them: in the result of every record, in every ruling, and in every refusal."""

from random import Random

from scorekeeper.commands.records import _ruling_paragraphs
from scorekeeper.pitch.compare.ruling import make_record_ruling
from scorekeeper.pitch.records.record import RefusedRecord, fault_sentence, names_of_match, read_record
from scorekeeper.pitch.records.result import score_record
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.text.phrases import resolve_pronouns, with_pronouns
from tests.common.ci import IS_CI
from tests.common.library import RULEBOOK, every_ruleset
from tests.pitch.compare.matches_again import one_by_one
from tests.pitch.scoring.random_records import random_record
from tests.pitch.text.grammar import wrong_words


@every_ruleset
def test_every_sentence_of_a_record_is_one(ruleset: Ruleset) -> None:
    random = Random(7)
    for _ in range(60 if IS_CI else 12):
        record = random_record(random, ruleset)
        result = score_record(record, RULEBOOK)
        texts = [result.get("because", ""), *(fault["message"] for fault in result.get("faults", ()))]
        try:
            for one in one_by_one(read_record(record)):
                ruling = make_record_ruling(one, RULEBOOK)
                names = names_of_match(ruling.state)
                paragraphs = _ruling_paragraphs(ruling, with_pronouns(names), stopped=False)
                texts.append(resolve_pronouns("\n\n".join("\n".join(lines) for lines in paragraphs)))
        except RefusedRecord as refused:
            texts += map(fault_sentence, refused.faults)
        for text in texts:
            assert not wrong_words(text), text
