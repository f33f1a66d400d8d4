// The whole front end: it reads and writes the API with fetch.
interface Todo {
  readonly id: number;
  readonly title: string;
  readonly is_done: boolean;
}

const list = find('#list', HTMLUListElement);
const form = find('#add', HTMLFormElement);
const message = find('#message', HTMLParagraphElement);

function find<T extends Element>(selector: string, kind: new () => T): T {
  const element = document.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`The page has no ${selector}`);
  return element;
}

async function request<T>(path: string, method = 'GET', body?: object): Promise<T | undefined> {
  const response = await fetch(`/api${path}`, {
    method,
    headers: body ? { 'Content-Type': 'application/json' } : {},
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

async function show(): Promise<void> {
  const todos = (await request<readonly Todo[]>('/todos?select=id,title,is_done&order=is_done,id')) ?? [];
  list.replaceChildren(...todos.map(render));
}

function render({ id, title, is_done }: Todo): HTMLLIElement {
  const item = document.createElement('li');
  item.className = is_done ? 'done' : '';
  const button = document.createElement('button');
  button.textContent = is_done ? 'Remove' : 'Done';
  button.addEventListener('click', () =>
    act(() =>
      is_done ? request(`/todos?id=eq.${id}`, 'DELETE') : request(`/todos?id=eq.${id}`, 'PATCH', { is_done: true }),
    ),
  );
  item.append(`${title} `, button);
  return item;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const title = new FormData(form).get('title');
  form.reset();
  void act(() => request('/todos', 'POST', { title }));
});

void show();
