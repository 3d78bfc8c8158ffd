import type {
  AddTagsToResourceRequest,
  ListTagsForResourceRequest,
  ListTagsForResourceResult,
  RemoveTagsFromResourceRequest,
  Tag,
} from '@aws-sdk/client-ssm';
import type { Ledger } from '@nodewright/runtime';
import { AwsError } from '../codec/aws-error.ts';
import type { OwnParameters } from './own-parameters.ts';

/** As many tags as a parameter may have. */
const mostTags = 50;

type ParameterTagSet = Readonly<Record<string, string>>;

/** The tags of the parameters, by their names. */
export class ParameterTags {
  readonly #tags: Map<string, ParameterTagSet>;

  constructor(ledger: Ledger) {
    this.#tags = ledger.map('ssm/tags');
  }

  of(name: string): ParameterTagSet {
    return this.#tags.get(name) ?? {};
  }

  /** @throws AwsError `TooManyTagsError`, or for a key that AWS keeps for itself */
  add(name: string, added: readonly Tag[]): void {
    checkParameterTags(added);
    const tags = { ...this.of(name), ...Object.fromEntries(added.map(({ Key, Value = '' }) => [Key ?? '', Value])) };
    if (Object.keys(tags).length > mostTags)
      throw new AwsError('TooManyTagsError', `The number of tags exceeds the limit of ${mostTags}.`);
    this.#set(name, tags);
  }

  remove(name: string, keys: readonly string[]): void {
    this.#set(name, Object.fromEntries(Object.entries(this.of(name)).filter(([key]) => !keys.includes(key))));
  }

  forget(name: string): void {
    this.#tags.delete(name);
  }

  #set(name: string, tags: ParameterTagSet): void {
    if (Object.keys(tags).length === 0) this.#tags.delete(name);
    else this.#tags.set(name, tags);
  }
}

/** @throws AwsError for a key that AWS keeps for itself */
export function checkParameterTags(tags: readonly Tag[]): void {
  const own = tags.find(({ Key = '' }) => /^aws:/i.test(Key));
  if (own !== undefined)
    throw new AwsError('ValidationException', `Tag keys can't begin with "aws:" (case-insensitive): ${own.Key}`);
}

type TaggedStore = { readonly own: OwnParameters; readonly tags: ParameterTags };

export function addTagsToParameter(store: TaggedStore, request: AddTagsToResourceRequest): object {
  store.tags.add(findTaggedParameter(store, request), request.Tags ?? []);
  return {};
}

export function untagParameter(store: TaggedStore, request: RemoveTagsFromResourceRequest): object {
  store.tags.remove(findTaggedParameter(store, request), request.TagKeys ?? []);
  return {};
}

export const listParameterTags = (
  store: TaggedStore,
  request: ListTagsForResourceRequest,
): ListTagsForResourceResult => ({
  TagList: Object.entries(store.tags.of(findTaggedParameter(store, request))).map(([Key, Value]) => ({ Key, Value })),
});

/** The name of the parameter that a request is about. Of the resources of SSM that have tags, only parameters are here. */
function findTaggedParameter(
  { own }: TaggedStore,
  { ResourceType: type, ResourceId: id = '' }: ListTagsForResourceRequest,
) {
  const found = type === 'Parameter' ? own.get(id) : undefined;
  if (found !== undefined) return found.name;
  if (type === 'Parameter' || taggedTypes.has(type ?? ''))
    throw new AwsError('InvalidResourceId', `The resource ID "${id}" is not valid. Verify the ID and try again.`);
  throw new AwsError('InvalidResourceType', `${type} is not a valid resource type.`);
}

const taggedTypes: ReadonlySet<string> = new Set([
  'Association',
  'Automation',
  'Document',
  'MaintenanceWindow',
  'ManagedInstance',
  'OpsItem',
  'OpsMetadata',
  'PatchBaseline',
]);
