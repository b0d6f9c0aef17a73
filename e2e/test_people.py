"""Who signs in, and what each may do, as they would tell it."""

import re

from playwright.sync_api import Browser, expect

from e2e.conftest import context_of
from e2e.site import Site
from e2e.watched import Console


def test_a_wrong_token_is_refused_in_words_and_a_good_one_opens_the_overview(browser: Browser, site: Site) -> None:
    with context_of(browser) as context:
        console = Console(site, context)
        page = console.page
        page.goto(f"{site.url}/")
        page.locator(".sign-in summary").click()
        page.locator("input[name=token]").fill("nonsense")
        page.locator("form button[type=submit]").click()
        expect(page.get_by_role("alert")).to_contain_text("does not know this token")
        console.sign_in()
        expect(page.locator("main h1")).to_have_text("Overview")
        page.reload()
        expect(page.locator("main h1")).to_have_text("Overview")
        page.get_by_role("button", name=re.compile("Signed in as")).click()
        page.get_by_role("button", name="Sign out").click()
        expect(page.locator("input[name=password]")).to_be_visible()
        assert list(console.complaints()) == []


def test_a_token_is_shown_once_and_revoked_by_typing_its_name(console: Console) -> None:
    page = console.page
    console.visit("admin?tab=tokens")
    page.get_by_role("button", name="New token").click()
    page.get_by_role("textbox", name="name", exact=True).fill("short-lived")
    page.get_by_role("dialog").get_by_role("button", name="Create").click()
    expect(page.locator(".telling")).to_contain_text("shown only now")
    row = page.locator("tr", has_text="short-lived")
    row.get_by_role("button", name="Revoke…").click()
    confirm = page.get_by_role("dialog").get_by_role("button", name="Revoke")
    expect(confirm).to_have_attribute("aria-disabled", "true")
    page.get_by_label("Type short-lived to confirm").fill("short-lived")
    confirm.click()
    expect(row).to_contain_text("revoked")


def test_a_viewer_sees_acts_with_the_role_that_may_do_them(browser: Browser, site: Site) -> None:
    with context_of(browser) as context:
        console = Console(site, context)
        console.sign_in(site.issue_token("looker", "viewer"))
        console.visit("queues")
        pause = console.page.get_by_role("button", name="Pause…").first
        expect(pause).to_have_attribute("aria-disabled", "true")
        expect(pause).to_have_attribute("title", re.compile("operator"))
        assert list(console.complaints()) == []


def test_everything_is_reached_by_the_keyboard(console: Console) -> None:
    run = console.site.run("greet", input={"name": "keys"}, tags=["keys"])
    console.site.ended(run)
    page = console.page
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find or do").fill("#keys")
    expect(page.locator("#palette-list")).to_contain_text("greet")
    page.keyboard.press("Enter")
    expect(page.locator("main h1")).to_have_text("greet")
    page.keyboard.press("g")
    page.keyboard.press("q")
    expect(page.locator("main h1")).to_have_text("Queues")
    expect(page.locator("main tr[data-key]").first).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/queues/."))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("All keys")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_first_admin_is_made_by_a_link_and_invites_another_user(browser: Browser, own_site: Site) -> None:
    link = own_site.first_link()
    with context_of(browser) as context:
        console = Console(own_site, context)
        console.page.goto(link)
        console.page.locator("input[name=name]").fill("anna")
        console.page.locator("input[name=password]").fill("short")
        console.page.locator("form button[type=submit]").click()
        expect(console.page.get_by_role("alert")).to_be_visible()
        console.page.locator("input[name=password]").fill("seven blue springs")
        console.page.locator("form button[type=submit]").click()
        expect(console.page.locator("main#main h1")).to_have_text("Overview")
        console.visit("admin?tab=people")
        expect(console.page.get_by_role("cell", name="anna", exact=True)).to_be_visible()
        assert console.accessibility() == []
        console.button("Invite").first.click()
        console.page.locator("dialog input[name=name]").fill("ben")
        console.page.locator("dialog button[type=submit]").click()
        invitation = console.page.locator(".telling code").inner_text()
        assert list(console.complaints()) == []
    with context_of(browser) as context:
        console = Console(own_site, context)
        console.page.goto(invitation.strip())
        console.page.locator("input[name=password]").fill("eight green wheels")
        console.page.locator("form button[type=submit]").click()
        expect(console.page.locator("main#main h1")).to_be_visible()
        console.visit("queues")
        assert list(console.complaints()) == []


def test_what_was_typed_outlives_a_sign_in_that_has_ended(browser: Browser, own_site: Site) -> None:
    with context_of(browser) as context:
        console = Console(own_site, context)
        console.page.goto(own_site.first_link())
        console.page.locator("input[name=name]").fill("anna")
        console.page.locator("input[name=password]").fill("seven blue springs")
        console.page.locator("form button[type=submit]").click()
        expect(console.page.locator("main#main h1")).to_be_visible()
        console.visit("triggers/new")
        typed = console.page.locator("main input").first
        typed.fill("nightly")
        own_site.call("POST", "users/anna/sign-ins/end", {})
        expect(console.page.locator(".sign-in")).to_be_visible()
        console.page.locator("input[name=password]").fill("seven blue springs")
        console.page.locator(".sign-in button[type=submit]").click()
        expect(typed).to_be_visible()
        expect(typed).to_have_value("nightly")


def test_the_browser_keeps_no_secret_that_a_script_could_read(console: Console) -> None:
    for found in console.page.context.cookies():
        assert found["name"] != "mainspring" or found["httpOnly"], found
    stored = console.page.context.storage_state()
    texts = [item["value"] for origin in stored["origins"] for item in origin["localStorage"]]
    assert not any(console.site.token in text for text in texts)


def test_choices_follow_a_person_to_another_browser(browser: Browser, site: Site) -> None:
    token = site.issue_token("chooser", "viewer")
    with context_of(browser) as context:
        console = Console(site, context)
        console.sign_in(token)
        console.visit("admin?tab=account")
        for name in ("dark", "roomy", "24 h", "UTC"):
            with console.page.expect_response(re.compile("/me/preferences")):
                console.page.locator(".settings").get_by_role("button", name=name, exact=True).click()
        assert console.accessibility() == []
        with console.page.expect_response(re.compile("/me/preferences")):
            console.page.locator(".settings").get_by_role("button", name="简体中文").click()
        assert list(console.complaints()) == []
    with context_of(browser) as context:
        console = Console(site, context)
        console.sign_in(token)
        root = console.page.locator("html")
        expect(root).to_have_attribute("lang", "zh")
        expect(root).to_have_attribute("data-theme", "dark")
        expect(root).to_have_attribute("data-density", "roomy")
        console.visit("overview")
        expect(console.page.get_by_role("button", name="24 时")).to_have_attribute("aria-pressed", "true")
        assert list(console.complaints()) == []
