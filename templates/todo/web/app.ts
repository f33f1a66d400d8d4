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
  message.textContent = response.ok ? '' : answer.message;
  return response.ok ? answer : undefined;
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
  button.addEventListener('click', async () => {
    await (is_done
      ? request(`/todos?id=eq.${id}`, 'DELETE')
      : request(`/todos?id=eq.${id}`, 'PATCH', { is_done: true }));
    await show();
  });
  item.append(`${title} `, button);
  return item;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  await request('/todos', 'POST', { title: new FormData(form).get('title') });
  form.reset();
  await show();
});

void show();
