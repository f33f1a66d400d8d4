// An error response: the message of the server and advice.
import type { ComponentChildren, VNode } from 'preact';
import type { ReceivedResponse } from '../client/exchange.ts';
import type { Store } from '../store/store.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import type { RequestPlace } from '../url-state/place.ts';
import { setOffset } from '../url-state/edit-ranges.ts';
import { renderUrl } from '../url-state/render-url.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Code } from '../ui/text.tsx';
import { type Correction, findCorrections } from './corrections.ts';
import { adviseOn, readError } from './error-advice.ts';

export interface ErrorViewProps {
  readonly store: Store;
  readonly place: RequestPlace;
  readonly response: ReceivedResponse;
}

export function ErrorView({ store, place, response }: ErrorViewProps): VNode | null {
  // A notice at the top of the page already explains missing privileges.
  if (response.status === 401 || response.status === 403) return null;
  const error = readError(response);
  const corrections = findCorrections(place.url, error);
  return (
    <div class="result-notice">
      <Notice
        tone="danger"
        title={<bdi>{error.message}</bdi>}
        hint={corrections.length > 0 ? undefined : adviseOn(error, response.status)}
        action={<Remedies {...{ store, place, response, corrections }} />}
      >
        <dl class="result-error">
          <Part name="Code" text={error.code && <Code>{error.code}</Code>} />
          <Part name="Details" text={error.details} />
          <Part name="Hint" text={error.hint} />
        </dl>
      </Notice>
    </div>
  );
}

function Part({ name, text }: { readonly name: string; readonly text: ComponentChildren }): VNode | null {
  if (text === undefined) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto">{text}</dd>
    </>
  );
}

interface RemediesProps extends ErrorViewProps {
  readonly corrections: readonly Correction[];
}

function Remedies({ store, place, response, corrections }: RemediesProps): VNode {
  const model = parseUrl(place.url);
  const goTo = (url: string): void => store.go({ ...place, url });
  if (corrections.length > 0) {
    return (
      <>
        {corrections.map(({ label, url }, index) => (
          <Button key={url} variant={index === 0 ? 'primary' : 'default'} title={url} onClick={() => goTo(url)}>
            <span>
              Use <bdi>{label}</bdi>
            </span>
          </Button>
        ))}
      </>
    );
  }
  if (response.status === 416 && model.ok) {
    return <Button onClick={() => goTo(renderUrl(setOffset(model.value, [], undefined)))}>Go to the first page</Button>;
  }
  return (
    <Button icon="refresh" onClick={() => store.run()}>
      Run again
    </Button>
  );
}
