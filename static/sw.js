// The phone's own memory of pages, where the browser allows one: over https, and on the machine that serves.
// The network comes first, always; a copy is shown only where it does not answer. What is sent is never touched.
"use strict";
const ROOT = new URL("./", location).pathname, STATIC = `${ROOT}static/`, OFFLINE = `${ROOT}offline`;
const FILES = "scorekeeper-files", PAGES = "scorekeeper-pages";
const MOST_FILES = 80, MOST_PAGES = 40;
const PATIENCE = 4000; // milliseconds: then a copy is better than waiting
const PASSING = ["said", "gone"]; // what a page says once, and not again as a copy

const addressOf = (url) => {
  const it = new URL(url, location);
  for (const name of PASSING) it.searchParams.delete(name);
  it.hash = "";
  return it.href;
};
const isText = (answer) => answer.headers.get("Content-Type")?.startsWith("text/html");
const isPage = (answer) => answer.status === 200 && !answer.redirected && isText(answer);
const matchIn = (path) => path.match(/^(.*\/matches\/[^/]+\/)/)?.[1];
const trim = async (cache, most) => {
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(keys.length - most, 0)).map((key) => cache.delete(key)));
};
const copyOf = async (url) => (await caches.open(PAGES)).match(addressOf(url));

// ---- Keeping and forgetting
const forget = async (prefix) => {
  const pages = await caches.open(PAGES);
  const gone = (await pages.keys()).filter(({ url }) => prefix && new URL(url).pathname.startsWith(prefix));
  await Promise.all(gone.map((key) => pages.delete(key)));
};
const keepFiles = async (text) => {
  const files = await caches.open(FILES);
  for (const [, name] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
    if (name.startsWith(STATIC) && !(await files.match(name))) await files.add(name);
  }
  await trim(files, MOST_FILES);
};
const keepPage = async (url, answer) => {
  const text = await answer.text(), headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Set-Cookie"]) headers.delete(name);
  // So that the page can say from when it is.
  headers.set("Last-Modified", headers.get("Date") ?? new Date().toUTCString());
  await keepFiles(text); // first, so that no copy of a page lacks what makes it work
  const pages = await caches.open(PAGES);
  await pages.put(addressOf(url), new Response(text, { headers }));
  await trim(pages, MOST_PAGES);
};
// What an answer means for the copies: a link that leads nowhere any more takes all of its match along.
const learn = async (url, answer) => {
  const { pathname, searchParams } = new URL(url, location);
  if (searchParams.get("gone")) await forget(`${ROOT}matches/${searchParams.get("gone")}/`);
  if ([404, 410].includes(answer.status)) await forget(matchIn(pathname) ?? pathname);
  else if ([401, 403].includes(answer.status)) await (await caches.open(PAGES)).delete(addressOf(url));
  else if (isPage(answer)) {
    if (!PASSING.some((name) => searchParams.has(name))) await keepPage(url, answer);
  }
};
const fetched = async (url) => learn(url, await fetch(url));

// ---- Answering
const page = (event) => {
  const { url } = event.request;
  const fresh = fetch(event.request).then((answer) => {
    event.waitUntil(learn(url, isPage(answer) ? answer.clone() : answer).catch(() => {}));
    if (answer.status >= 502) throw new Error("nobody behind the proxy");
    return answer;
  });
  const late = new Promise((done) => setTimeout(done, PATIENCE)).then(() => copyOf(url)).then((copy) => copy ?? fresh);
  late.catch(() => {});
  const instead = async () => (await copyOf(url)) ?? (await copyOf(OFFLINE)) ?? Response.error();
  return Promise.race([fresh, late]).catch(instead);
};
const file = async (request) => {
  const files = await caches.open(FILES), kept = await files.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await files.put(request, answer.clone());
  return answer;
};
const watched = async (event) => {
  const answer = await fetch(event.request);
  if ([404, 410].includes(answer.status)) event.waitUntil(forget(matchIn(new URL(event.request.url).pathname)));
  return answer;
};
addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith(STATIC)) {
    // Addresses that change with the content; a font keeps its own.
    if (url.searchParams.has("v") || url.pathname.endsWith(".woff2")) event.respondWith(file(request));
  } else if (request.mode === "navigate") event.respondWith(page(event));
  else if (request.headers.has("HX-Request") && matchIn(url.pathname)) event.respondWith(watched(event));
});
// A page names what should be at hand when the network goes.
addEventListener("message", (event) => {
  if (Array.isArray(event.data?.keep)) event.waitUntil(Promise.allSettled(event.data.keep.map(fetched)));
});

// ---- Coming and going
addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(Promise.all([fetched(OFFLINE), fetched(ROOT)]));
});
addEventListener("activate", (event) => {
  const strange = (names) => names.filter((name) => name.startsWith("scorekeeper-") && ![FILES, PAGES].includes(name));
  event.waitUntil(caches.keys().then((names) => Promise.all(strange(names).map((name) => caches.delete(name)))));
  event.waitUntil(clients.claim());
});
