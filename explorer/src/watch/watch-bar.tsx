// What a watched request receives: its state, the number of changes, and the events of a channel. Ends with the bar.
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import type { RequestPlace } from '../url-state/place.ts';
import { followRows } from './follow-rows.ts';
import { endOfRows, followStream, type StreamEvent } from './follow-stream.ts';
import { openEvents, waitFor } from './open-events.ts';
import { rowsEventOf, type RowsEvent } from './rows-event.ts';
import type { ReadMessage } from './serve-reads.ts';
import { showRows } from './shown-rows.ts';
import type { StreamError, StreamState } from './stream-state.ts';
import './watch.css';

export interface WatchBarProps {
  readonly store: Store;
  readonly place: RequestPlace;
  /** Columns of the primary key. */
  readonly rowKey: readonly string[];
  /** The request is a function that returns channels, whose events are listed. */
  readonly isChannel: boolean;
  readonly isShared: boolean;
  readonly onStop: () => void;
}

/** Older events of a channel are dropped. */
const MAX_EVENTS = 200;

export function WatchBar(props: WatchBarProps): VNode {
  const { isChannel, onStop } = props;
  const { state, count, events } = useStream(props);
  const noun = isChannel ? 'event' : 'change';
  return (
    <section class="watch" aria-label="Watch">
      <div class="ui-row watch-line">
        <StateText state={state} />
        <span class="watch-count">
          {state.kind === 'ended' && count === 0
            ? ''
            : `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`}
        </span>
        <Button size="small" icon={state.kind === 'ended' ? 'close' : 'stop'} onClick={onStop}>
          {state.kind === 'ended' ? 'Close' : 'Stop'}
        </Button>
      </div>
      {isChannel && events.length > 0 ? <EventList events={events} /> : null}
    </section>
  );
}

const LABELS = { connecting: 'Connecting…', live: 'Live', reconnecting: 'Reconnecting…', ended: 'Ended' } as const;

function StateText({ state }: { readonly state: StreamState }): VNode {
  return (
    <p class={`watch-state watch-${state.kind}`} role="status">
      <strong>{LABELS[state.kind]}</strong>
      {'error' in state && state.error !== undefined ? <ErrorText error={state.error} /> : null}
    </p>
  );
}

function ErrorText({ error: { code, message, details, hint } }: { readonly error: StreamError }): VNode {
  const more = [details, hint].filter((text) => text !== undefined);
  return (
    <span>
      {[code, message].filter((text) => text !== undefined).join(': ')}
      {more.length === 0 ? null : <span class="watch-more">{more.join('. ')}</span>}
    </span>
  );
}

interface NumberedEvent extends StreamEvent {
  readonly number: number;
}

function EventList({ events }: { readonly events: readonly NumberedEvent[] }): VNode {
  return (
    <ol class="watch-events" aria-label="Events" tabIndex={0}>
      {events.map(({ number, name, data }) => (
        <li key={number}>
          <bdi class="watch-event-name">{name}</bdi>
          <code class="watch-event-data">{data}</code>
        </li>
      ))}
    </ol>
  );
}

interface Received {
  readonly count: number;
  /** The newest first. */
  readonly events: readonly NumberedEvent[];
}

/** @param props those of the first call count: a bar watches one request */
function useStream(props: WatchBarProps): Received & { readonly state: StreamState } {
  const [state, setState] = useState<StreamState>({ kind: 'connecting' });
  const [received, setReceived] = useState<Received>({ count: 0, events: [] });
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const rows = props.isChannel ? undefined : showRows({ ...props, key: props.rowKey });
    const add = (changes: number, event?: StreamEvent): void =>
      setReceived(({ count, events }) => ({
        count: count + changes,
        events: event === undefined ? events : [{ ...event, number: count }, ...events].slice(0, MAX_EVENTS),
      }));
    const apply = (event: RowsEvent | undefined): void => {
      if (event !== undefined) add(rows?.apply(event) ?? 0);
    };
    if (rows !== undefined && props.isShared) {
      const onMessage = (message: ReadMessage): void =>
        message.kind === 'state' ? setState(message.state) : apply(message);
      followRows({ ...props, onMessage, signal });
    } else {
      void followStream({
        open: (lastId) => openEvents(props, lastId, signal),
        endOf: props.isChannel ? () => undefined : endOfRows,
        wait: (milliseconds) => waitFor(milliseconds, signal),
        onState: setState,
        onEvent: (event) => (props.isChannel ? add(1, event) : apply(rowsEventOf(event))),
        signal,
      });
    }
    return () => {
      stop.abort();
      rows?.close();
    };
  }, []);
  return { ...received, state };
}
