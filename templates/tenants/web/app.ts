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

interface Project {
  readonly id: number;
  readonly name: string;
  readonly organization_id: number;
  readonly organizations: { readonly name: string };
  readonly tasks: readonly { readonly id: number; readonly title: string; readonly is_done: boolean }[];
}

let projects: readonly Project[] = [];

async function show(): Promise<void> {
  if (localStorage.getItem('token') === null) return;
  // Only the projects of one's own organizations: the policies see to that, not this page.
  projects = (await request<readonly Project[]>('/projects?select=*,organizations(name),tasks(*)&order=id')) ?? [];
  find('#projects', HTMLElement).replaceChildren(
    ...projects.flatMap(({ name, organizations: { name: organization }, tasks }) => [
      item(`${organization}: ${name}`),
      ...tasks
        .filter(({ is_done: isDone }) => !isDone)
        .map(({ id, title }) =>
          item(`· ${title}`, 'Done', () => request(`/tasks?id=eq.${id}`, 'PATCH', { is_done: true })),
        ),
    ]),
  );
  find('#add select', HTMLElement).replaceChildren(...projects.map(({ id, name }) => new Option(name, String(id))));
}

const add = find('#add', HTMLFormElement);
add.addEventListener('submit', (event) => {
  event.preventDefault();
  const data = new FormData(add);
  const project = projects.find(({ id }) => id === Number(data.get('project')));
  void act(() =>
    request('/tasks', 'POST', {
      title: data.get('title'),
      project_id: project?.id,
      organization_id: project?.organization_id,
    }),
  );
});

void show();
