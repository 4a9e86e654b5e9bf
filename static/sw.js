// The phone's own memory of pages, where the browser allows one: over https, and on the machine that serves.
// The network comes first, always; a copy is shown only where it does not answer. What is sent is never touched.
"use strict";
const ROOT = new URL("./", location).pathname, STATIC = `${ROOT}static/`, OFFLINE = `${ROOT}offline`;
const FILES = "scorekeeper-files", PAGES = "scorekeeper-pages";
const MOST_FILES = 80, MOST_PAGES = 40, MOST_OF_MATCHES = 20;
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
// What is opened where there is no network: the match and its next hand, beside the pages that are always there.
const isOfMatch = ({ url }) => /\/matches\/[^/]+\/(hands\/new)?$/.test(new URL(url).pathname);
const isFixed = ({ url }) => [ROOT, OFFLINE].includes(new URL(url).pathname);
const drop = (cache, keys) => Promise.all(keys.map((key) => cache.delete(key)));
const beyond = (keys, most) => keys.slice(0, Math.max(keys.length - most, 0));
const trimPages = async (pages) => {
  const keys = (await pages.keys()).filter((key) => !isFixed(key));
  await drop(pages, beyond(keys.filter(isOfMatch), MOST_OF_MATCHES));
  await drop(pages, beyond(keys.filter((key) => !isOfMatch(key)), MOST_PAGES));
};
const copyOf = async (url) => (await caches.open(PAGES)).match(addressOf(url));

// ---- Keeping and forgetting
const forget = async (prefix) => {
  const pages = await caches.open(PAGES);
  const gone = (await pages.keys()).filter(({ url }) => prefix && new URL(url).pathname.startsWith(prefix));
  await drop(pages, gone);
};
const filesOf = (text) =>
  [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, name]) => name).filter((name) => name.startsWith(STATIC));
const keepFiles = async (text) => {
  const files = await caches.open(FILES);
  for (const name of filesOf(text)) {
    if (!(await files.match(name))) await files.add(name);
  }
};
// A copy that is kept keeps its files, however old their version is; fonts are named by those.
const trimFiles = async (pages) => {
  const files = await caches.open(FILES), keys = await files.keys();
  if (keys.length <= MOST_FILES) return;
  const texts = (await pages.matchAll()).map((copy) => copy.text());
  const used = new Set((await Promise.all(texts)).flatMap(filesOf).map((name) => new URL(name, location).href));
  await drop(files, keys.filter(({ url }) => !used.has(url) && !url.endsWith(".woff2")));
};
const keepPage = async (url, answer) => {
  const text = await answer.text(), headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Set-Cookie"]) headers.delete(name);
  // So that the page can say from when it is.
  headers.set("Last-Modified", headers.get("Date") ?? new Date().toUTCString());
  await keepFiles(text); // first, so that no copy of a page lacks what makes it work
  const pages = await caches.open(PAGES);
  await pages.put(addressOf(url), new Response(text, { headers }));
  await trimPages(pages);
  await trimFiles(pages);
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
