// The whole front end. `database.ts` contains the types of the API: `npm run dev` writes it after each save.
import { PostgrestClient, type PostgrestSingleResponse } from '@supabase/postgrest-js';
import type { Database } from './database.ts';

const api = new PostgrestClient<Database>(`${location.origin}/api`).schema('api');

const list = find('#list', HTMLUListElement);
const form = find('#add', HTMLFormElement);
const message = find('#message', HTMLParagraphElement);

function find<T extends Element>(selector: string, kind: new () => T): T {
  const element = document.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`The page has no ${selector}`);
  return element;
}

/** Returns what was read, or shows why nothing was. */
function take<T>({ data, error }: PostgrestSingleResponse<T>): T | undefined {
  if (error === null) return data;
  message.textContent = error.message;
  return undefined;
}

/** Runs an action, then shows what it has changed. */
async function act(run: () => PromiseLike<PostgrestSingleResponse<unknown>>): Promise<void> {
  message.textContent = '';
  take(await run());
  await show();
}

async function show(): Promise<void> {
  const todos = take(await api.from('todos').select('id,title,is_done').order('is_done').order('id'));
  if (todos !== undefined) list.replaceChildren(...todos.map(render));
}

function render({ id, title, is_done }: { id: number; title: string; is_done: boolean }): HTMLLIElement {
  const item = document.createElement('li');
  item.className = is_done ? 'done' : '';
  const button = document.createElement('button');
  button.textContent = is_done ? 'Remove' : 'Done';
  button.addEventListener('click', () =>
    act(() =>
      is_done ? api.from('todos').delete().eq('id', id) : api.from('todos').update({ is_done: true }).eq('id', id),
    ),
  );
  item.append(`${title} `, button);
  return item;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const title = new FormData(form).get('title');
  form.reset();
  if (typeof title === 'string') void act(() => api.from('todos').insert({ title }));
});

void show();
