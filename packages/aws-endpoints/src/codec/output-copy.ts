import { readOwn, writeOwn } from '@nodewright/apis';
import { makeLazily } from './lazily.ts';
import { hasTrait, listMembers, type Shape, type WireStructure } from './shape.ts';

/** Copies a value of one shape. Made once per shape, because reading traits costs more than copying. */
type Copy = (value: unknown) => unknown;

/** What an empty structure or list is for the protocol. */
type Empties = 'absent' | 'values';

/**
 * Copies an output as a client reads it from the wire: members that the shape names and that have a value, lists and maps
 * without anything that the model changes later.
 * @param empties whether empty structures and lists are on the wire; forms have no place for them [values]
 */
export function structureCopier(shape: Shape, empties: Empties = 'values'): (value: WireStructure) => WireStructure {
  const members = [...listMembers(shape)].map(([name, member]) => ({ name, copy: copierOf(member, empties) }));
  return (value) => {
    const copied: Record<string, unknown> = {};
    for (const { name, copy } of members) {
      const each = readOwn(value, name);
      if (each === undefined || each === null) continue;
      const copiedMember = copy(each);
      if (copiedMember !== undefined) writeOwn(copied, name, copiedMember);
    }
    return copied;
  };
}

function copierOf(shape: Shape, empties: Empties): Copy {
  if (shape.isListSchema()) return listCopier(shape, empties);
  if (shape.isMapSchema()) return mapCopier(shape, empties);
  if (shape.isStructSchema()) return memberCopier(shape, empties);
  return (value) => value;
}

function memberCopier(shape: Shape, empties: Empties): Copy {
  const copy = makeLazily(() => structureCopier(shape, empties));
  return (value) => {
    const copied = copy()(value as WireStructure);
    return empties === 'absent' && Object.keys(copied).length === 0 ? undefined : copied;
  };
}

/** An empty list without an element of its own leaves nothing on the wire. */
function listCopier(shape: Shape, empties: Empties): Copy {
  const copy = copierOf(shape.getValueSchema(), empties);
  const isDropped = empties === 'absent' || hasTrait(shape, 'xmlFlattened');
  return (value) => {
    const items = value as readonly unknown[];
    return isDropped && items.length === 0 ? undefined : items.map(copy);
  };
}

function mapCopier(shape: Shape, empties: Empties): Copy {
  const copy = copierOf(shape.getValueSchema(), empties);
  return (value) => Object.fromEntries(Object.entries(value as WireStructure).map(([key, each]) => [key, copy(each)]));
}
