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

/** Only those of one's own organizations: the policies see to that, not this page. */
function readProjects() {
  return api.from('projects').select('*,organizations(name),tasks(*)').order('id');
}

type Projects = NonNullable<Awaited<ReturnType<typeof readProjects>>['data']>;

let projects: Projects = [];

async function show(): Promise<void> {
  if (localStorage.getItem('token') === null) return;
  projects = take(await readProjects()) ?? [];
  find('#projects', HTMLElement).replaceChildren(
    ...projects.flatMap(({ name, organizations: { name: organization }, tasks }) => [
      item(`${organization}: ${name}`),
      ...tasks
        .filter(({ is_done: isDone }) => !isDone)
        .map(({ id, title }) =>
          item(`· ${title}`, 'Done', () => api.from('tasks').update({ is_done: true }).eq('id', id)),
        ),
    ]),
  );
  find('#add select', HTMLElement).replaceChildren(...projects.map(({ id, name }) => new Option(name, String(id))));
}

const add = find('#add', HTMLFormElement);
add.addEventListener('submit', (event) => {
  event.preventDefault();
  const data = new FormData(add);
  const title = data.get('title');
  const project = projects.find(({ id }) => id === Number(data.get('project')));
  if (typeof title !== 'string' || project === undefined) return;
  const { id: project_id, organization_id } = project;
  void act(() => api.from('tasks').insert({ title, project_id, organization_id }));
});

void show();
