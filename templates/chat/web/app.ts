// The whole front end. `database.ts` contains the types of the API: `npm run dev` writes it after each save.
import { PostgrestClient, type PostgrestSingleResponse } from '@supabase/postgrest-js';
import type { Database } from './database.ts';

const api = new PostgrestClient<Database>(`${location.origin}/api`, { fetch: fetchSigned }).schema('api');

function fetchSigned(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = localStorage.getItem('token');
  if (token !== null) headers.set('Authorization', `Bearer ${token}`);
  return fetch(input, { ...init, headers });
}

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

function item(text: string, action?: string, run?: () => PromiseLike<PostgrestSingleResponse<unknown>>): HTMLLIElement {
  const element = document.createElement('li');
  element.textContent = text;
  if (action === undefined || run === undefined) return element;
  const button = document.createElement('button');
  button.textContent = action;
  button.addEventListener('click', () => act(run));
  element.append(' ', button);
  return element;
}

const signIn = find('#sign-in', HTMLFormElement);
signIn.addEventListener('submit', (event) => {
  event.preventDefault();
  const token = new FormData(signIn).get('token');
  if (typeof token === 'string') localStorage.setItem('token', token);
  message.textContent = '';
  void show();
});

let room: number | undefined;

async function show(): Promise<void> {
  const rooms = take(await api.from('rooms').select('id,name').order('name'));
  find('#rooms', HTMLElement).replaceChildren(
    ...(rooms ?? []).map(({ id, name }) => item(name, 'Enter', () => enter(id))),
  );
  if (room === undefined) return;
  const latest = api.from('messages').select('author,body').eq('room_id', room);
  const messages = take(await latest.order('id', { ascending: false }).limit(50));
  find('#messages', HTMLElement).replaceChildren(
    ...(messages ?? []).toReversed().map(({ author, body }) => item(`${author}: ${body}`)),
  );
}

function enter(id: number): PromiseLike<PostgrestSingleResponse<unknown>> {
  room = id;
  // Joining again changes nothing.
  return api.from('members').upsert({ room_id: id }, { onConflict: 'room_id,person', ignoreDuplicates: true });
}

const say = find('#say', HTMLFormElement);
say.addEventListener('submit', (event) => {
  event.preventDefault();
  const [body, to] = [new FormData(say).get('body'), room];
  say.reset();
  if (typeof body === 'string' && to !== undefined) void act(() => api.from('messages').insert({ room_id: to, body }));
});

void show();
setInterval(() => void show(), 3000);
