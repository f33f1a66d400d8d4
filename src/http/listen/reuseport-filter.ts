// Packet filters that select which of the sockets sharing a port gets a new connection. Sockets occupy slots from 0,
// and a filter returns a slot. If the number is not a slot, the system distributes evenly. When a socket closes, the
// socket in the last slot moves to its slot.

/** An instruction of the classic packet filter; names and numbers as in `linux/filter.h`. */
export interface Instruction {
  readonly code: number;
  readonly onTrue: number;
  readonly onFalse: number;
  readonly value: number;
}

const LOAD_WORD = 0x20;
const LOAD_HALF_WORD = 0x28;
const SHIFT_RIGHT = 0x74;
const MODULO = 0x94;
const ADD = 0x04;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN_CONSTANT = 0x06;
const RETURN_RESULT = 0x16;

/** Base of offsets in the IP header. */
const NETWORK_HEADER = 0xff_f0_00_00;
const IPV4_HEADER_SIZE = 20;
const IPV6_HEADER_SIZE = 40;
/** Loads a random number instead of packet data. */
const RANDOM = 0xff_ff_f0_38;

/** Selects the slot by the client's port, which the connecting process knows. */
export function selectBySourcePort(count: number, isIpv6: boolean): readonly Instruction[] {
  const value = NETWORK_HEADER + (isIpv6 ? IPV6_HEADER_SIZE : IPV4_HEADER_SIZE);
  return [
    instruction(LOAD_HALF_WORD, value),
    instruction(SHIFT_RIGHT, 1),
    instruction(MODULO, count),
    instruction(RETURN_RESULT, 0),
  ];
}

/**
 * Returns the slot that `selectBySourcePort` selects. Systems assign ports of one parity first, so the last bit is
 * ignored.
 */
export function slotOfSourcePort(port: number, count: number): number {
  return (port >> 1) % count;
}

/** Distributes evenly to all sockets but one. */
export function avoidSlot(slot: number, count: number): readonly Instruction[] {
  return [
    instruction(LOAD_WORD, RANDOM),
    instruction(MODULO, count - 1),
    { code: JUMP_IF_AT_LEAST, onTrue: 0, onFalse: 1, value: slot },
    instruction(ADD, 1),
    instruction(RETURN_RESULT, 0),
  ];
}

/** Like `avoidSlot`; distributes evenly to the remaining sockets once the socket in that slot has closed. */
export function avoidClosingSlot(slot: number, count: number): readonly Instruction[] {
  const last = count - 1;
  // The last slot no longer exists then, so its number makes the system distribute evenly.
  return slot === last ? avoidSlot(slot, count) : [instruction(RETURN_CONSTANT, last)];
}

function instruction(code: number, value: number): Instruction {
  return { code, onTrue: 0, onFalse: 0, value };
}
