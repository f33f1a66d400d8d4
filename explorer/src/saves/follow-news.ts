// Follows the news of `rowhouse dev` while the page is visible: browsers allow few connections to one server, and hidden
// pages would use them up.
import { DEV_PATHS, type DevNews } from '../../../src/contract/dev-news.ts';
import { windowBrowser } from '../store/window-browser.ts';

/** The browser connects again by itself. @returns a function that ends it */
export function followNews(onNews: (news: DevNews) => void): () => void {
  let source: EventSource | undefined;
  const disconnect = (): void => {
    source?.close();
    source = undefined;
  };
  const adapt = (): void => {
    if (document.visibilityState !== 'visible') return disconnect();
    source ??= connect(onNews);
    return undefined;
  };
  document.addEventListener('visibilitychange', adapt);
  adapt();
  return () => {
    document.removeEventListener('visibilitychange', adapt);
    disconnect();
  };
}

function connect(onNews: (news: DevNews) => void): EventSource {
  const source = new EventSource(new URL(`.${DEV_PATHS.news}`, windowBrowser.base));
  source.addEventListener('message', ({ data }: MessageEvent<string>) => onNews(JSON.parse(data)));
  return source;
}
