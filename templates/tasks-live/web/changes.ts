// What the page writes. Rows change at once; if the server refuses a write, they change back and the reason is shown.
import { UnsettledWriteError } from '@rowhouse/tanstack-db';
import type { Transaction } from '@tanstack/react-db';
import { lists, members, tasks } from './data.ts';

let problem = '';
const listeners = new Set<() => void>();

/** The reason why the last write was refused, for `useSyncExternalStore`. */
export const problems = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: () => problem,
  show: (message: string): void => {
    problem = message;
    for (const listener of listeners) listener();
  },
};

/** Each call of a collection is one transaction of the database. */
function save(write: () => Transaction): void {
  problems.show('');
  try {
    write().isPersisted.promise.catch((error: Error) => problems.show(describe(error)));
  } catch (error) {
    problems.show(String(error));
  }
}

function describe(error: Error): string {
  return error instanceof UnsettledWriteError
    ? 'The server has not answered. If the change was saved, it appears again.'
    : error.message;
}

export function addList(name: string, owner: string): string {
  const id = crypto.randomUUID();
  save(() => lists.insert({ id, name, owner, created_at: new Date().toISOString() }));
  return id;
}

export const removeList = (id: string): void => save(() => lists.delete(id));

export function share(listId: string, person: string): void {
  if (!members.has(`${listId} ${person}`)) save(() => members.insert({ list_id: listId, person }));
}

export const unshare = (listId: string, person: string): void => save(() => members.delete(`${listId} ${person}`));

export function addTask(listId: string, title: string, person: string): void {
  const row = { id: crypto.randomUUID(), list_id: listId, title, is_done: false, added_by: person };
  save(() => tasks.insert({ ...row, created_at: new Date().toISOString() }));
}

export function changeTask(id: string, changes: { readonly title?: string; readonly is_done?: boolean }): void {
  save(() => tasks.update(id, (task) => void Object.assign(task, changes)));
}

export const removeTasks = (ids: string[]): void => save(() => tasks.delete(ids));
