// Lets requests wait while the schema changes (`project.md` §2 item 8): none fails because its plan and the database differ.
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpRequest, HttpResponse } from '../../../src/contract/http.ts';
import type { HttpHandler } from '../../../src/http/exchange/http-handler.ts';

/** How long the change waits for requests under way. Those that take longer hold locks of their own by then. */
const DRAIN_MS = 1000;

export class RequestGate {
  /** Pending while the gate is closed. */
  #opened: Promise<void> | undefined;
  #open = (): void => undefined;
  #underWay = 0;
  #notifyIdle = (): void => undefined;

  /**
   * Puts the gate before a handler.
   *
   * @param amend may replace a response
   */
  guard(handler: HttpHandler, amend: (request: HttpRequest, response: HttpResponse) => HttpResponse): HttpHandler {
    return {
      get admit() {
        return handler.admit;
      },
      get mayArrive() {
        return handler.mayArrive;
      },
      refuse: (request, client, error) => handler.refuse(request, client, error),
      refuseConnection: (error) => handler.refuseConnection(error),
      onCrash: (error) => handler.onCrash(error),
      onConnectionError: (error) => handler.onConnectionError(error),
      handle: async (request, client, signal) =>
        amend(request, await this.#pass(() => handler.handle(request, client, signal))),
      check: (request, client) => this.#pass(() => handler.check(request, client)),
    };
  }

  /** Runs `change` while no request begins. Requests under way are waited for, but not long. */
  async closeFor<T>(change: () => Promise<T>): Promise<T> {
    this.#opened = new Promise((resolve) => (this.#open = resolve));
    try {
      if (this.#underWay > 0) {
        const idle = new Promise<void>((resolve) => (this.#notifyIdle = resolve));
        await Promise.race([idle, sleep(DRAIN_MS, undefined, { ref: false })]);
      }
      return await change();
    } finally {
      this.#opened = undefined;
      this.#open();
    }
  }

  async #pass<T>(handle: () => Promise<T>): Promise<T> {
    // Another change may begin before this continues.
    while (this.#opened !== undefined) await this.#opened;
    this.#underWay += 1;
    try {
      return await handle();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#notifyIdle();
    }
  }
}
