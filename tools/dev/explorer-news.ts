// What the open pages of the explorer are told: that the schema has been loaded, what became of a save, and the question
// about it. Each page gets the latest state when it connects, and each change.
import { randomUUID } from 'node:crypto';
import type { BodyStream } from '../../src/contract/body-stream.ts';
import type { DevNews, SaveAnswer, SaveQuestion, SaveState } from '../../src/contract/dev-news.ts';
import { renderEvent } from '../../src/extensions/live/events/event-text.ts';
import { EventBody } from '../../src/extensions/live/streams/event-body.ts';

const MAX_PAGES = 100;
/** Bytes that may wait for a page. */
const MAX_BACKLOG = 1_048_576;
const UNCOUNTED = { hold: (): void => undefined, release: (): void => undefined };

interface OpenQuestion {
  readonly id: string;
  readonly settle: (answer: boolean | undefined) => void;
}

export class ExplorerNews {
  /** Another process has other ids. */
  readonly #start: string = randomUUID();
  #loads = 0;
  #save: SaveState = { kind: 'none' };
  #question: OpenQuestion | undefined;
  /** Asks the question again that was answered with no. */
  onAskAgain = (): void => undefined;
  readonly #pages: Set<EventBody> = new Set();
  #hasEnded = false;

  noteLoad(): void {
    this.#loads += 1;
    this.#send();
  }

  show(save: SaveState): void {
    this.#save = save;
    this.#send();
  }

  /** Asks on every page. Resolves with the first answer; undefined if the signal aborts before. */
  ask(question: SaveQuestion, signal: AbortSignal): Promise<boolean | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const id = randomUUID();
    return new Promise((resolve) => {
      const settle = (answer: boolean | undefined): void => {
        signal.removeEventListener('abort', abandon);
        this.#question = undefined;
        this.show({ kind: 'none' });
        resolve(answer);
      };
      const abandon = (): void => settle(undefined);
      signal.addEventListener('abort', abandon);
      this.#question = { id, settle };
      this.show({ kind: 'question', id, question });
    });
  }

  /** @returns whether the question was still open */
  answer({ id, answer }: SaveAnswer): boolean {
    if (this.#question?.id !== id) return false;
    this.#question.settle(answer);
    return true;
  }

  /** @returns undefined if too many pages are open */
  open(): BodyStream | undefined {
    if (this.#hasEnded || this.#pages.size >= MAX_PAGES) return undefined;
    const page = new EventBody({
      maxBacklog: MAX_BACKLOG,
      memory: UNCOUNTED,
      // The page connects again.
      onBacklog: (slow) => slow.cancel(),
      onOver: (over) => this.#pages.delete(over),
    });
    this.#pages.add(page);
    page.push(this.#render());
    return page;
  }

  close(): void {
    this.#hasEnded = true;
    for (const page of this.#pages) page.end();
  }

  #send(): void {
    const event = this.#render();
    for (const page of this.#pages) page.push(event);
  }

  #render(): ReturnType<typeof renderEvent> {
    const news: DevNews = { schema: `${this.#start}-${this.#loads}`, save: this.#save };
    return renderEvent({ name: 'message', id: undefined, data: JSON.stringify(news) });
  }
}
