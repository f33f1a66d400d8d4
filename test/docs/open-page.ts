// Runs the script of an HTML page and returns the text that its elements show afterwards. Emulates only the parts of a
// browser that the pages use: elements with an id, lists, and a prompt for the token.
import { randomBytes } from 'node:crypto';

class Element {
  textContent = '';
  readonly children: Element[] = [];

  replaceChildren(...children: readonly Element[]): void {
    this.children.splice(0, Infinity, ...children);
  }

  get text(): string {
    return [this.textContent, ...this.children.map(({ text }) => text)].filter((line) => line !== '').join('\n');
  }
}

/** @param token the answer to the prompt */
export async function openPage(html: string, token: string): Promise<string> {
  const [, script = ''] = /<script type="module">([\s\S]*)<\/script>/u.exec(html) ?? [];
  const elements = new Map([...html.matchAll(/\bid="(\w+)"/gu)].map(([, id = '']) => [id, new Element()]));
  const names = ['document', 'prompt', ...elements.keys()];
  const values = [{ createElement: () => new Element() }, () => token, ...elements.values()];
  // A browser makes elements with an id global variables; here they are passed under a unique name.
  const key = `page_${randomBytes(6).toString('hex')}`;
  const program = `const [${names.join(', ')}] = globalThis.${key};\n${script}`;
  Object.assign(globalThis, { [key]: values });
  await import(`data:text/javascript,${encodeURIComponent(program)}`);
  return [...elements.values()]
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n');
}
