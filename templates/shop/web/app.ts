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

async function show(): Promise<void> {
  const products = take(await api.from('products').select('id,name,price,stock').order('name'));
  find('#products', HTMLElement).replaceChildren(
    ...(products ?? []).map(({ id, name, price, stock }) =>
      item(`${name}, ${price.toFixed(2)} (${stock} left)`, 'Buy', () =>
        api.rpc('place_order', { items: [{ product: id, quantity: 1 }] }),
      ),
    ),
  );
  if (localStorage.getItem('token') === null) return;
  // Items and products of each order come with it.
  const orders = take(
    await api.from('orders').select('id,order_items(quantity,products(name))').order('id', { ascending: false }),
  );
  find('#orders', HTMLElement).replaceChildren(
    ...(orders ?? []).map(({ id, order_items: items }) =>
      // A policy may hide a product that is no longer listed.
      item(
        `${id}: ${items.map(({ quantity, products }) => `${quantity} × ${products?.name ?? 'no longer sold'}`).join(', ')}`,
      ),
    ),
  );
}

void show();
