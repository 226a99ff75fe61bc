"""The search: the right section first, whatever the accents, and no TeX in the text."""

import re

import pytest
from playwright.sync_api import expect

FIRST = [
    ("Nystrom", "chapters/08_scaling.html"),
    ("nyström", "chapters/08_scaling.html"),
    ("kernel trick", "chapters/02_kernel_trick.html"),
    ("duality gap", "chapters/"),
    ("representer theorem", "chapters/"),
    ("perceptron", "chapters/05_perceptron.html"),
    ("Gaussian processes", "chapters/07_gaussian_processes.html"),
    ("Cauchy-Schwarz", "chapters/04_rkhs.html#thm-ch4-cs"),
    ("KernelRidge", "reference/api/ridge.html#kernellab.ridge.estimator.KernelRidge"),
]


@pytest.mark.parametrize(("query", "place"), FIRST, ids=[query for query, _ in FIRST])
def test_the_right_place_comes_first(reader, query, place):
    page = reader.open("search.html")
    page.get_by_role("searchbox").first.fill(query)
    first = page.locator(".kl-search li a").first
    expect(first).to_have_attribute("href", re.compile(rf"(\./)?{re.escape(place)}"))


def test_a_result_leads_to_its_section(reader):
    page = reader.open("search.html?q=push-through")
    page.locator(".kl-search li a").first.click()
    page.wait_for_url(re.compile(r"\.html#.+"))
    anchor = page.evaluate("decodeURIComponent(location.hash.slice(1))")
    assert page.evaluate("(id) => document.getElementById(id) !== null", anchor)


def test_snippets_have_no_tex_and_mark_what_was_sought(reader):
    page = reader.open("search.html?q=gram+matrix+eigenvalue")
    page.locator(".kl-search li mark").first.wait_for()
    text = page.locator(".kl-search ol").inner_text()
    assert not re.search(r"\\[a-z(\[]|\$", text)
    assert page.locator(".kl-search mark", has_text="eigenvalue").count() > 0


def test_nothing_found_is_said(reader):
    page = reader.open("search.html?q=zzyzx")
    expect(page.locator(".kl-search [role=status]")).to_have_text("No places")


def test_the_search_field_of_any_page_leads_to_the_search(reader):
    page = reader.open("chapters/00_tour.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("mercer")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=mercer")
    page.locator(".kl-search li").first.wait_for()
