// The whole front end: it reads and writes the API with fetch.
const message = find<HTMLParagraphElement>('#message');

function find<T extends Element>(selector: string): T {
  const element = document.querySelector<T>(selector);
  if (element === null) throw new Error(`The page has no ${selector}`);
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

find<HTMLFormElement>('#sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  const data = new FormData(event.target as HTMLFormElement);
  localStorage.setItem('token', String(data.get('token')));
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
  find('#rooms').replaceChildren(...(rooms ?? []).map(({ id, name }) => item(name, 'Enter', () => enter(id))));
  if (room === undefined) return;
  const messages = await request<readonly Message[]>(
    `/messages?select=author,body&room_id=eq.${room}&order=id.desc&limit=50`,
  );
  find('#messages').replaceChildren(
    ...(messages ?? []).toReversed().map(({ author, body }) => item(`${author}: ${body}`)),
  );
}

async function enter(id: number): Promise<void> {
  room = id;
  // Joining again changes nothing.
  await request('/members?on_conflict=room_id,person', 'POST', { room_id: id });
}

find<HTMLFormElement>('#say').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target as HTMLFormElement;
  await request('/messages', 'POST', { room_id: room, body: new FormData(form).get('body') });
  form.reset();
  await show();
});

void show();
setInterval(() => void show(), 3000);
