"""Records of chance: the shares that seats reveal, and what is dealt."""

from typing import TYPE_CHECKING

from referee.draws import chain_step
from referee.rules import CHANCE, OVER, InvalidDeal, RulesError
from referee.transcript.errors import WireError
from referee.transcript.finding import Level, WrongRecord
from referee.transcript.fold.opening import need_hash
from referee.transcript.fold.stage import PLAYING
from referee.transcript.result import ENTROPY
from referee.transcript.wire.game import decode_deal
from referee.v1 import record_pb2 as pb

if TYPE_CHECKING:
    from referee.transcript.fold.match import Fold


def take_reveal(fold: "Fold", message: pb.Reveal) -> None:
    """Take the share of a seat; one that does not open what it showed before puts it out."""
    fold.need_stage("reveal", PLAYING)
    seat = fold.need_live(message)
    if fold.position.actor != CHANCE or seat not in fold.missing_reveals():
        fold.misplaced(f"a reveal of seat {seat}")
    number = fold.position.chance_round
    if message.round != number:
        raise WrongRecord(f"a reveal for round {number}", f"one for round {message.round}")
    need_hash(message.x)
    if not message.HasField("timing"):
        raise WrongRecord("the times of a reveal", "none")
    try:
        fold.time.reveal(seat, message.timing)
    except WrongRecord as wrong:
        fold.wrong_time(wrong)
    if chain_step(fold.match_id, seat, fold.commit, number, message.x) != fold.chain[seat]:
        fold.expect_out(seat, ENTROPY)
        return
    fold.chain[seat] = fold.shares[seat] = message.x
    fold.settle()


def take_deal(fold: "Fold", message: pb.DealRecord) -> None:
    """Deal what the record says, and compare it with what the seed gives."""
    fold.need_stage("deal", PLAYING)
    position = fold.position
    if position.actor != CHANCE or fold.missing_reveals():
        fold.misplaced("deal")
    number = position.chance_round
    if message.round != number:
        raise WrongRecord(f"a deal of round {number}", f"one of round {message.round}")
    try:
        deal = decode_deal(message.deal)
        public = deal.view(None)
    except (WireError, RulesError) as error:
        raise WrongRecord("a deal", str(error)) from error
    # Where a game hides nothing, its view of a deal is the deal.
    if deal is not public and deal != public:
        raise WrongRecord("a deal without hidden facts", str(deal))
    is_round = number != position.round
    live = fold.live
    shares = [share if live[seat] else None for seat, share in enumerate(fold.shares)]
    if fold.proof is not None:
        drawn = fold.proof.draw(position, number, shares)
        if drawn != deal:
            fold.fault(Level.DRAWS, str(drawn), str(deal))
            fold.proof = None
    try:
        position.deal(deal)
    except InvalidDeal as error:
        found = f"{error.part}: {error.message}"
        raise WrongRecord(error.expected, found, error.rule) from error
    if is_round:
        fold.fairness.rounds.append(
            tuple([seat for seat, share in enumerate(shares) if share is not None])
        )
        fold.time.deal()
        fold.shares = [None] * len(shares)
    actor = position.actor
    if not is_round and (actor == OVER or (actor == CHANCE and position.chance_round != number)):
        # Duel: the last thing of a round may be a plate that its drawer shows.
        fold.due = ("round_scored",)
    else:
        fold.settle()
