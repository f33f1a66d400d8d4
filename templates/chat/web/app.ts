// The whole front end: it reads and writes the API with fetch.
const message = find('#message', HTMLParagraphElement);

function find<T extends Element>(selector: string, kind: new () => T): T {
  const element = document.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`The page has no ${selector}`);
  return element;
}

async function request<T>(path: string, method = 'GET', body?: object): Promise<T | undefined> {
  const token = localStorage.getItem('token');
  const response = await fetch(`/api${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = text === '' ? undefined : JSON.parse(text);
  message.textContent = response.ok ? '' : answer.message;
  return response.ok ? answer : undefined;
}

function item(text: string, action?: string, run?: () => Promise<unknown>): HTMLLIElement {
  const element = document.createElement('li');
  element.textContent = text;
  if (action === undefined || run === undefined) return element;
  const button = document.createElement('button');
  button.textContent = action;
  button.addEventListener('click', async () => {
    await run();
    await show();
  });
  element.append(' ', button);
  return element;
}

const signIn = find('#sign-in', HTMLFormElement);
signIn.addEventListener('submit', async (event) => {
  event.preventDefault();
  const token = new FormData(signIn).get('token');
  if (typeof token === 'string') localStorage.setItem('token', token);
  await show();
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
  await request('/members?on_conflict=room_id,person', 'POST', { room_id: id });
}

const say = find('#say', HTMLFormElement);
say.addEventListener('submit', async (event) => {
  event.preventDefault();
  await request('/messages', 'POST', { room_id: room, body: new FormData(say).get('body') });
  say.reset();
  await show();
});

void show();
setInterval(() => void show(), 3000);
