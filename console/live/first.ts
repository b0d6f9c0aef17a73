// Asks for what the first page shows while the page's own scripts still come; they take these answers instead of asking again.
const [namespace = ""] = location.pathname.replace(/^\/console\/?/, "").split("/").filter((part) => part !== "");
const answers: Record<string, Promise<Response>> = {};
const place = decodeURIComponent(namespace) || "default";
if (namespace !== "start") {
  answers["whoami"] = fetch("/api/v1/whoami", { cache: "no-store" });
  answers[`${place} overview`] = fetch("/api/v1/overview", { cache: "no-store", headers: { "mainspring-namespace": place } });
}
// One that fails is asked for again, and told then.
for (const answer of Object.values(answers)) answer.catch(() => undefined);
(globalThis as { firstAnswers?: typeof answers }).firstAnswers = answers;
