"""Training in a browser: `truedeal train` as anybody starts it, a lesson, its debrief, and progress that is erased."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from hal_sim.training.course import Course, Lesson, is_of_patrons
from tests.browser.axe import grave
from tests.browser.browsing import DESK, PHONE, TOUCH, Chromium, Watched
from tests.browser.harness_user import Hands, Sim
from tests.browser.page_user import PageUser
from tests.places import ROOT

GAME = "mbs-blackjack-v6"


class Training(Sim):
    """`truedeal train` in a process of its own."""

    def __init__(self, seed: int, folder: Path) -> None:
        super().__init__(seed)
        self._folder = folder

    def words(self) -> list[str]:
        """The command and its options."""
        return ["train", "--seed", str(self._seed), "--state", str(self._folder)]


@pytest.fixture(scope="module")
def served(one_chromium: Chromium, seed: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Training]:
    """The training of this worker."""
    del one_chromium
    with Training(seed, tmp_path_factory.mktemp("training")) as training:
        yield training


@pytest.fixture
def hands(chromium: Chromium, served: Training) -> Iterator[Hands]:
    """Somebody who learns, on a large screen."""
    watched = Watched(chromium.browser, served.address, DESK)
    user = PageUser(watched)
    user.open("training")
    yield Hands(user)
    assert [] == watched.close()


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    """The easiest lesson about a card at the wrong box, in which the Dealer alone acts."""
    lessons = Course([ROOT / "tests" / "scenarios"]).of(GAME)
    alone = [one for one in lessons if not any(is_of_patrons(said.what) for said in one.after)]
    return next(one for one in alone if one.code == "misdealt-card" and 1 < one.acts)


def begin(hands: Hands, person: str, lesson: Lesson) -> None:
    """Choose a lesson of the course."""
    user = hands.user
    user.test("trainee").fill(person)
    user.test("tile", clause=lesson.clause).locator("summary").click()
    with hands.page.expect_response("**/api/training/begin") as answer:
        user.test("lesson", id=lesson.id).click()
    assert answer.value.json()["ok"] is True
    expect(hands.page.locator("#page[data-route=harness]")).to_be_attached()


def carry_out(hands: Hands, lesson: Lesson) -> None:
    """Do what the lesson asks of the Dealer, by hand or by word."""
    for statement in lesson.after:
        hands.post("act", statement=statement.text)


def test_a_lesson_is_dealt_explained_and_kept(hands: Hands, lesson: Lesson) -> None:
    """The error is there, a hint is taken, the ruling carried out; the debrief has the clause, progress the score."""
    user = hands.user
    begin(hands, "Ann", lesson)
    expect(user.test("training-bar")).to_contain_text("no chips of value")
    expect(user.test("alarm", code="misdealt-card")).to_be_visible()
    expect(user.test("training-bar")).to_be_visible()
    with hands.page.expect_response("**/api/training/hint"):
        user.test("hint").click()
    expect(user.test("training-hint")).not_to_be_empty()
    carry_out(hands, lesson)
    expect(user.test("training-now")).to_have_attribute("data-over", "true")
    user.test("to-debrief").click()
    expect(user.test("result")).to_have_attribute("data-passed", "true")
    expect(user.test("result")).to_have_attribute("data-score", str(100 * (lesson.acts - 1) // lesson.acts))
    expect(user.test("explained", code="misdealt-card")).to_have_attribute("data-clause", lesson.clause)
    user.test("tile", clause=lesson.clause).locator("summary").click()
    expect(user.test("lesson", id=lesson.id)).to_have_attribute("data-state", "passed")
    expect(user.test("progress")).to_contain_text(lesson.id)
    assert [] == grave(hands.page)


def test_progress_is_erased_by_whom_it_concerns(hands: Hands, lesson: Lesson) -> None:
    """After the question nothing is left of the person, and the others keep theirs."""
    user = hands.user
    begin(hands, "Bob", lesson)
    with hands.page.expect_response("**/api/training/end"):
        user.test("end-lesson").click()
    expect(user.test("result")).to_have_attribute("data-passed", "false")
    expect(user.test("progress")).to_contain_text(lesson.id)
    user.test("erase").click()
    with hands.page.expect_response("**/api/training/erase") as answer:
        user.test("erase-yes").click()
    assert 1 == answer.value.json()["erased"]
    expect(user.test("progress")).to_contain_text("Nothing yet under this name.")


def test_practice_with_patrons(hands: Hands) -> None:
    """Bets are opened by the trainee, the patrons place their chips; nothing begins without a name."""
    user = hands.user
    user.test("trainee").fill("")
    expect(user.test("tile").first).to_be_visible()
    user.test("practice").click()
    expect(hands.page.get_by_text("Say who you are first.")).to_be_visible()
    user.test("trainee").fill("Cy")
    user.test("training-errors").select_option("own")
    with hands.page.expect_response("**/api/training/begin"):
        user.test("practice").click()
    hands.does(user.test("press", button="bets"), "press")
    expect(hands.page.locator("[data-test=record] li", has_text="bet ").first).to_be_attached()
    hands.does(user.test("press", button="bets"), "press")
    user.stands("bets-closed")
    expect(user.test("training-score")).to_have_attribute("data-right", "2")


@pytest.mark.parametrize("size", [PHONE, TOUCH], ids=["phone", "touch"])
def test_the_bar_covers_nothing_of_the_alarm(
    size: tuple[int, int], hands: Hands, lesson: Lesson, chromium: Chromium, served: Training
) -> None:
    """The head of the alarm begins below it, its own buttons are on the screen, and bright colours can be read."""
    begin(hands, "Dee", lesson)
    watched = Watched(chromium.browser, served.address, size)
    user = PageUser(watched)
    user.page.emulate_media(color_scheme="light")
    user.open("harness")
    expect(user.test("alarm")).to_be_visible()
    bar, head = user.test("training-bar").bounding_box(), user.page.locator(".alarm-head").bounding_box()
    assert bar is not None
    assert head is not None
    assert bar["y"] + bar["height"] <= head["y"]
    for one in ("hint", "end-lesson"):
        expect(user.test(one)).to_be_in_viewport(ratio=1)
    expect(user.test("physical")).to_be_visible()
    assert [] == grave(user.page)
    assert [] == watched.close()
    hands.user.test("end-lesson").click()


def test_a_debrief_is_told_in_the_language_of_the_page(hands: Hands, lesson: Lesson) -> None:
    """What was done and why it was refused, in words and not in notation; the games have their names."""
    begin(hands, "Eve", lesson)
    with pytest.raises(AssertionError, match="refused"):
        hands.post("act", statement="stand 1")
    hands.user.test("end-lesson").click()
    done = hands.user.test("debrief").locator("[data-by=you]").first
    expect(done).to_contain_text("Box 1 stands")
    expect(done).to_contain_text("Refused: the round is held")
    hands.page.locator("[data-lang=zh]").click()
    expect(done).to_contain_text("1号位停牌")
    expect(done).to_contain_text("牌局已暂停")
    expect(hands.user.test("training-game").locator(f"[value={GAME}]")).to_contain_text("二十一点")
    hands.page.locator("[data-lang=en]").click()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_bar_stands_on_every_page(lang: str, chromium: Chromium, served: Training) -> None:
    """On a small screen with touch, in both languages, whatever is open."""
    watched = Watched(chromium.browser, served.address, TOUCH, has_touch=True)
    user = PageUser(watched, lang)
    for route in ("training", "table", "history", "health", "games", "harness", "harness/editor"):
        user.open(route)
        bar = user.test("training-bar")
        expect(bar).to_be_visible()
        box = bar.bounding_box()
        assert box is not None
        assert (0, 0, 800) == (box["x"], box["y"], box["width"])
    user.open("training")
    expect(user.test("tile").first).to_be_visible()
    assert [] == grave(user.page)
    assert [] == watched.close()
