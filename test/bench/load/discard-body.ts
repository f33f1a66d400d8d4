// Sends a request and discards the body of its response.
import { request, type RequestOptions } from 'node:http';

/** Returns the length of the body. Throws unless the status is 200. */
export function discardBody(options: RequestOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      let length = 0;
      response.on('data', (chunk: Buffer) => (length += chunk.length));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(length);
        else reject(new Error(`${options.path} was answered by ${response.statusCode}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
