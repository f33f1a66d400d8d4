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

interface Product {
  readonly id: number;
  readonly name: string;
  readonly price: number;
  readonly stock: number;
}

interface Order {
  readonly id: number;
  readonly order_items: readonly { readonly quantity: number; readonly products: { readonly name: string } | null }[];
}

async function show(): Promise<void> {
  const products = await request<readonly Product[]>('/products?order=name');
  find('#products', HTMLElement).replaceChildren(
    ...(products ?? []).map(({ id, name, price, stock }) =>
      item(`${name}, ${price.toFixed(2)} (${stock} left)`, 'Buy', () =>
        request('/rpc/place_order', 'POST', { items: [{ product: id, quantity: 1 }] }),
      ),
    ),
  );
  if (localStorage.getItem('token') === null) return;
  // Items and products of each order come with it.
  const orders = await request<readonly Order[]>(
    '/orders?select=id,order_items(quantity,products(name))&order=id.desc',
  );
  find('#orders', HTMLElement).replaceChildren(
    ...(orders ?? []).map(({ id, order_items: items }) =>
      item(
        `${id}: ${items.map(({ quantity, products: product }) => `${quantity} × ${product?.name ?? 'no longer sold'}`).join(', ')}`,
      ),
    ),
  );
}

void show();
