// The whole front end: it reads and writes the API with fetch.
const message = find('#message', HTMLParagraphElement);

function find<T extends Element>(selector: string, kind: new () => T): T {
  const element = document.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`The page has no ${selector}`);
  return element;
}

async function request<T>(path: string, method = 'GET', body?: object, prefer = ''): Promise<T | undefined> {
  const token = localStorage.getItem('token');
  const response = await fetch(`/api${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
      ...(prefer && { Prefer: prefer }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = text === '' ? undefined : JSON.parse(text);
  if (response.ok) return answer;
  message.textContent = answer.message;
  return undefined;
}

/** Runs an action, then shows what it has changed. */
async function act(run: () => Promise<unknown>): Promise<void> {
  message.textContent = '';
  await run();
  await show();
}

function item(text: string, action?: string, run?: () => Promise<unknown>): HTMLLIElement {
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
  void act(async () => undefined);
});

interface Room {
  readonly id: number;
  readonly name: string;
}

interface Message {
  readonly author: string;
  readonly body: string;
}

let room: number | undefined;

async function show(): Promise<void> {
  const rooms = await request<readonly Room[]>('/rooms?order=name');
  find('#rooms', HTMLElement).replaceChildren(
    ...(rooms ?? []).map(({ id, name }) => item(name, 'Enter', () => enter(id))),
  );
  if (room === undefined) return;
  const messages = await request<readonly Message[]>(
    `/messages?select=author,body&room_id=eq.${room}&order=id.desc&limit=50`,
  );
  find('#messages', HTMLElement).replaceChildren(
    ...(messages ?? []).toReversed().map(({ author, body }) => item(`${author}: ${body}`)),
  );
}

async function enter(id: number): Promise<void> {
  room = id;
  // Joining again changes nothing.
  await request('/members?on_conflict=room_id,person', 'POST', { room_id: id }, 'resolution=ignore-duplicates');
}

const say = find('#say', HTMLFormElement);
say.addEventListener('submit', (event) => {
  event.preventDefault();
  const body = new FormData(say).get('body');
  say.reset();
  void act(() => request('/messages', 'POST', { room_id: room, body }));
});

void show();
setInterval(() => void show(), 3000);
