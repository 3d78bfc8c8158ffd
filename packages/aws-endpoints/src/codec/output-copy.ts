import { readOwn, writeOwn } from '@nodewright/apis';
import { lazily } from './lazily.ts';
import { hasTrait, membersOf, type Shape, type Structure } from './shape.ts';

/** Copies a value of one shape. Made once per shape, because reading traits costs more than copying. */
type Copy = (value: unknown) => unknown;

/**
 * Copies an output as a client reads it from the wire: members that the shape names and that have a value, lists and maps
 * without anything that the model changes later.
 */
export function structureCopier(shape: Shape): (value: Structure) => Structure {
  const members = [...membersOf(shape)].map(([name, member]) => ({ name, copy: copierOf(member) }));
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

function copierOf(shape: Shape): Copy {
  if (shape.isListSchema()) return listCopier(shape);
  if (shape.isMapSchema()) return mapCopier(shape);
  if (shape.isStructSchema()) {
    const copy = lazily(() => structureCopier(shape));
    return (value) => copy()(value as Structure);
  }
  return (value) => value;
}

/** An empty list without an element of its own leaves nothing on the wire. */
function listCopier(shape: Shape): Copy {
  const copy = copierOf(shape.getValueSchema());
  const isFlat = hasTrait(shape, 'xmlFlattened');
  return (value) => {
    const items = value as readonly unknown[];
    return isFlat && items.length === 0 ? undefined : items.map(copy);
  };
}

function mapCopier(shape: Shape): Copy {
  const copy = copierOf(shape.getValueSchema());
  return (value) => Object.fromEntries(Object.entries(value as Structure).map(([key, each]) => [key, copy(each)]));
}
