// The headers of an answer → the value of one, whatever the case of its name.
import type { ReceivedResponse } from './exchange.ts';

export function headerOf(response: Pick<ReceivedResponse, 'headers'>, name: string): string | undefined {
  return response.headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
}
