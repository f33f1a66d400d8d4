// An application with the sync packages, which tests drive by `window.app`. It shows each task of its lists as an element
// whose text is the task's number.
import { createCollection, createLiveQueryCollection } from '@tanstack/db';
import { NonRetriableError, startOfflineExecutor } from '@tanstack/offline-transactions';
import { connect } from '../../../packages/live/src/index.ts';
import { offlineMutation, rowhouseCollectionOptions } from '../../../packages/tanstack-db/src/index.ts';

const now = () => performance.timeOrigin + performance.now();
const settings = Object.fromEntries(new URLSearchParams(location.search));

const live = connect({ url: settings.api, token: async () => (await fetch('/token')).text() });
const lists = Array.from({ length: Number(settings.lists) }, (_, list) =>
  createCollection(rowhouseCollectionOptions({ live, id: `list-${list}`, path: `/task?list=eq.${list}` })),
);
const offline = startOfflineExecutor({
  collections: Object.fromEntries(lists.map((collection) => [collection.id, collection])),
  mutationFns: { write: offlineMutation(live, NonRetriableError) },
});

const elements = new Map();
for (const collection of lists) {
  const query = createLiveQueryCollection({ query: (q) => q.from({ task: collection }), startSync: true });
  query.subscribeChanges((changes) => changes.forEach(render), { includeInitialState: true });
}

function render({ type, key, value }) {
  const known = elements.get(key);
  if (type === 'delete') {
    known?.remove();
    elements.delete(key);
    return;
  }
  const element = known ?? document.createElement('output');
  element.textContent = String(value.n);
  if (known !== undefined) return;
  element.id = String(key);
  elements.set(key, element);
  document.body.append(element);
}

/** When each number of each task was first in a frame. */
const shownAt = new Map();
const waiting = new Map();
/** The highest number that each task has shown. */
const highest = new Map();
/** What showed less than before, or was gone. */
const setbacks = [];
let changeCount = 0;
let frameCount = 0;
/** Elements that have changed since the last frame. */
const changed = new Set();

new MutationObserver((records) => {
  changeCount += 1;
  for (const { target, addedNodes, removedNodes } of records)
    for (const node of [target, ...addedNodes, ...removedNodes])
      if (node instanceof HTMLOutputElement) changed.add(node);
  for (const element of changed) inspect(element, 'change');
}).observe(document.body, { childList: true, subtree: true });

function inspect({ id, textContent, isConnected }, moment) {
  const n = isConnected ? Number(textContent) : -1;
  const before = highest.get(id) ?? n;
  if (n < before) setbacks.push(`${moment}: ${id} showed ${n} after ${before}`);
  else highest.set(id, n);
}

function inspectFrame() {
  frameCount += 1;
  for (const element of changed) {
    inspect(element, 'frame');
    const key = `${element.id} ${element.textContent}`;
    if (!shownAt.has(key)) shownAt.set(key, now());
    waiting.get(key)?.(shownAt.get(key));
    waiting.delete(key);
  }
  changed.clear();
  requestAnimationFrame(inspectFrame);
}
requestAnimationFrame(inspectFrame);

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const describeError = ({ name, message, status, cause }) => `${name} ${status} ${message}: ${cause?.message}`;

/** What became of each write: `TASK N`. */
const outcomes = { done: [], unsettled: [], refused: [] };
const stopped = new AbortController();
const writers = [];

/** Inserts tasks and counts each up to 2, until told to stop. */
async function writeTasks({ kind, list, firstId, pauseMs }) {
  const collection = lists[list];
  for (let id = firstId; !stopped.signal.aborted; id += 1) {
    for (let n = 0; n < 3 && !stopped.signal.aborted; n += 1) {
      if (n > 0 && !collection.has(id)) break;
      const change = () =>
        n === 0 ? collection.insert({ id, list, n, title: kind }) : collection.update(id, (draft) => (draft.n = n));
      const isDone = await note(
        `${id} ${n}`,
        kind === 'offline' ? commitOffline(change) : change().isPersisted.promise,
      );
      await pause(Math.random() * (isDone ? pauseMs : 500));
    }
  }
}

async function note(write, done) {
  try {
    await done;
    outcomes.done.push(write);
    return true;
  } catch (error) {
    const isUnsettled = error.name === 'UnsettledWriteError';
    outcomes[isUnsettled ? 'unsettled' : 'refused'].push(isUnsettled ? write : `${write} ${describeError(error)}`);
    return false;
  }
}

function commitOffline(change) {
  const transaction = offline.createOfflineTransaction({ mutationFnName: 'write', autoCommit: false });
  transaction.mutate(change);
  return transaction.commit();
}

window.app = {
  doneCount: () => outcomes.done.length,
  resetSetbacks() {
    highest.clear();
    setbacks.length = 0;
    changeCount = 0;
    frameCount = 0;
  },
  setbacks: () => ({ setbacks, changeCount, frameCount }),

  async ready() {
    await Promise.all([offline.waitForInit(), ...lists.map((collection) => collection.preload())]);
  },

  /** All rows, as GET would send them. */
  rows() {
    const rows = lists.flatMap((collection) => collection.toArray);
    return rows.map(({ id, list, n, title }) => ({ id, list, n, title })).sort((a, b) => a.id - b.id);
  },

  /** Clicks the button of a task, and returns when that was, and when the write was confirmed. */
  async click([list, id, n]) {
    const button = document.createElement('button');
    const clicked = new Promise((resolve) => {
      button.addEventListener('click', () => {
        const at = now();
        const transaction = lists[list].update(id, (draft) => (draft.n = n));
        resolve(transaction.isPersisted.promise.then(() => ({ at, confirmedAt: now() })));
      });
    });
    document.body.append(button);
    button.click();
    button.remove();
    return clicked;
  },

  /** Returns when a number was first in a frame. */
  seen([id, n]) {
    const key = `${id} ${n}`;
    return shownAt.get(key) ?? new Promise((resolve) => waiting.set(key, resolve));
  },

  /** Returns the tasks that have never been in a frame. */
  unseen: (ids) => ids.filter((id) => !shownAt.has(`${id} 0`)),

  /** Counts tasks of a list up, three a frame, without waiting. Meanwhile, the connection moves to other streams. */
  async countUp({ list, ids, times }) {
    const done = [];
    let stop = () => undefined;
    for (let time = 0; time < times; time += 1) {
      const transaction = lists[list].update(ids[time % ids.length], (draft) => (draft.n += 1));
      done.push(transaction.isPersisted.promise);
      if (time % 3 === 2) await nextFrame();
      if (time % 40 !== 39) continue;
      stop();
      stop = live.watch(`/task?id=eq.${time}`, {});
    }
    const results = await Promise.allSettled(done);
    stop();
    return results.flatMap(({ reason }) => (reason === undefined ? [] : [describeError(reason)]));
  },

  /** Each transaction inserts a task and counts another one up. */
  startOffline({ list, firstId, count, counted }) {
    for (let index = 0; index < count; index += 1) {
      const change = () => {
        lists[list].insert({ id: firstId + index, list, n: 0, title: 'offline' });
        lists[list].update(counted, (draft) => (draft.n += 1));
      };
      writers.push(note(`${firstId + index} 0`, commitOffline(change)));
    }
  },

  startWriting(options) {
    writers.push(writeTasks(options));
  },

  /** Resolves when all writes have an outcome. */
  async finish() {
    stopped.abort();
    await Promise.all(writers);
    return outcomes;
  },
};
