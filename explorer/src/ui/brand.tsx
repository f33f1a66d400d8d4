// The logo: a row of houses.
import type { VNode } from 'preact';
import './brand.css';

export function Brand(): VNode {
  return (
    <span class="ui-brand">
      <svg width="26" height="20" viewBox="0 0 26 20" aria-hidden="true" focusable="false">
        <path class="ui-brand-a" d="M1 19V8.5L5 4l4 4.5V19z" />
        <path class="ui-brand-b" d="M9 19V6l4-4.5L17 6v13z" />
        <path class="ui-brand-c" d="M17 19V9.5L21 5l4 4.5V19z" />
        <path
          class="ui-brand-door"
          d="M4 19v-4.5h2V19zM11 9h1.5v2H11zM13.5 9H15v2h-1.5zM12 19v-4.5h2V19zM20 19v-4.5h2V19z"
        />
      </svg>
      <span>Rowhouse</span>
    </span>
  );
}
