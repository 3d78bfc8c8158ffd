import { type KubernetesObject, type MovedFields, byNumberOf } from '@nodewright/apis';
import { Document, isCollection, isScalar, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { pathBelow, remarksOf, type WrittenField, writtenFields } from './written-nodes.ts';

export type RewrittenDocument = {
  readonly document: Document;
  /** Remarks whose field is gone: `spec.amiFamily: # why`. */
  readonly lostRemarks: readonly string[];
};

/** The place of a value in the new document and where it stood in the old one. */
type RewrittenPlace = { readonly present: string; readonly former: string };

/**
 * An object in YAML that keeps what it can of the document it was rewritten from: remarks, blank lines, the order of
 * fields, the way scalars are quoted. Fields that moved take their remarks along.
 */
export function rewrittenDocument(written: Document, object: KubernetesObject, moved: MovedFields): RewrittenDocument {
  const fields = writtenFields(written);
  const used = new Set<WrittenField>();
  const document = new Document(undefined, { version: '1.1' });
  document.commentBefore = written.commentBefore;
  document.comment = written.comment;
  document.contents = new Rewriting(document, { fields, used, moved }).node(object, { present: '', former: '' });
  const lostRemarks = [...fields].flatMap(([path, field]) =>
    used.has(field) ? [] : remarksOf(field).map((remark) => `${path}: ${remark}`),
  );
  return { document, lostRemarks };
}

type RewriteSources = {
  readonly fields: ReadonlyMap<string, WrittenField>;
  readonly used: Set<WrittenField>;
  readonly moved: MovedFields;
};

class Rewriting {
  readonly #document: Document;
  readonly #sources: RewriteSources;

  constructor(document: Document, sources: RewriteSources) {
    this.#document = document;
    this.#sources = sources;
  }

  node(value: unknown, place: RewrittenPlace): Node {
    const field = this.#sources.fields.get(place.former);
    const before = field === undefined || this.#sources.used.has(field) ? undefined : field.value;
    if (field !== undefined) this.#sources.used.add(field);
    if (Array.isArray(value)) return this.#list(value, place, before);
    if (typeof value === 'object' && value !== null) return this.#map(Object.entries(value), place, before);
    return this.#scalar(value, before);
  }

  #map(entries: readonly (readonly [string, unknown])[], place: RewrittenPlace, before: Node | undefined): YAMLMap {
    const map = new YAMLMap();
    const members = entries
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => ({ name, member, place: this.#memberPlace(place, name) }));
    const order = [...this.#sources.fields.keys()];
    const rank = ({ former }: RewrittenPlace): number => {
      const at = order.indexOf(former);
      return at < 0 ? Infinity : at;
    };
    for (const { name, member, place: at } of members.toSorted(byNumberOf(({ place }) => rank(place)))) {
      map.items.push(new Pair(this.#key(name, member, at), this.node(member, at)));
    }
    return likeBefore(map, before);
  }

  #list(items: readonly unknown[], { present, former }: RewrittenPlace, before: Node | undefined): YAMLSeq {
    const list = new YAMLSeq();
    list.items = items.map((item, index) =>
      this.node(item, { present: `${present}[${index}]`, former: `${former}[${index}]` }),
    );
    return likeBefore(list, before);
  }

  #scalar(value: unknown, before: Node | undefined): Node {
    if (!isScalar(before)) return this.#document.createNode(value);
    const kept = new Scalar(value);
    if (before.value === value && before.type !== undefined) kept.type = before.type;
    return withRemarksOf(before, kept);
  }

  /** A remark behind a value that has become a list or a map goes before its key. */
  #key(name: string, member: unknown, { former }: RewrittenPlace): Scalar {
    const field = this.#sources.fields.get(former);
    const key = new Scalar(name);
    if (field?.key === undefined || this.#sources.used.has(field)) return key;
    withRemarksOf(field.key, key);
    const isGrown = typeof member === 'object' && isScalar(field.value);
    if (isGrown && typeof field.value.comment === 'string') {
      key.commentBefore = [key.commentBefore, field.value.comment]
        .filter((remark) => typeof remark === 'string')
        .join('\n');
    }
    return key;
  }

  /** Where a member stood: at its own path, unless it moved here or the level between is gone. */
  #memberPlace({ present, former }: RewrittenPlace, name: string): RewrittenPlace {
    const at = pathBelow(present, name);
    const own = pathBelow(former, name);
    const from = this.#sources.moved.get(at)?.find((path) => this.#sources.fields.has(path));
    const isTaken = this.#sources.fields.has(own) && from?.startsWith(`${own}.`) !== true;
    return { present: at, former: from === undefined || isTaken ? own : from };
  }
}

function likeBefore<N extends YAMLMap | YAMLSeq>(node: N, before: Node | undefined): N {
  if (!isCollection(before)) return node;
  if (before.flow === true) node.flow = true;
  return withRemarksOf(before, node);
}

function withRemarksOf<N extends Node>(before: Node, node: N): N {
  if (typeof before.comment === 'string') node.comment = before.comment;
  if (typeof before.commentBefore === 'string') node.commentBefore = before.commentBefore;
  if (before.spaceBefore === true) node.spaceBefore = true;
  return node;
}
