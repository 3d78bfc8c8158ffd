import { byTextOf, inOrder } from '@nodewright/apis';
import type { ApiObjectStore } from '../storage/store.ts';
import { builtInResources } from './built-in.ts';
import { compareApiVersions, type CustomFunctions, customResources, type StoredDefinition } from './custom-resource.ts';
import type { Resource } from './resource.ts';
import { groupVersion } from './served-kind.ts';

/** The collection of custom resource definitions. */
export const definitionsCollection = 'customresourcedefinitions.apiextensions.k8s.io';

/** A group with its versions, the preferred one first. */
export type ApiGroup = { readonly name: string; readonly versions: readonly string[] };

/** What verbs look up. */
export type ServedResources = Pick<
  Registry,
  'minor' | 'hasConversions' | 'find' | 'findKind' | 'resources' | 'groups' | 'isBuiltInGroup'
>;

/** The same resources, each one after `change`. */
export function changeResources(registry: ServedResources, change: (resource: Resource) => Resource): ServedResources {
  const changed = (resource: Resource | undefined): Resource | undefined => resource && change(resource);
  return {
    minor: registry.minor,
    hasConversions: registry.hasConversions,
    find: (type) => changed(registry.find(type)),
    findKind: (apiVersion, kind) => changed(registry.findKind(apiVersion, kind)),
    resources: () => registry.resources().map(change),
    groups: () => registry.groups(),
    isBuiltInGroup: (group) => registry.isBuiltInGroup(group),
  };
}

/** The resources that are served now: the built-in kinds of a version and the established custom kinds. */
export class Registry {
  readonly #store: ApiObjectStore;
  readonly #custom: ReadonlyMap<string, CustomFunctions>;
  readonly #others: readonly Resource[];
  #minor: number;
  #builtIn: readonly Resource[];
  #served: ReadonlyMap<string, Resource> | undefined;
  #hasConversions = false;

  constructor(
    store: ApiObjectStore,
    options: {
      readonly minor: number;
      readonly custom: ReadonlyMap<string, CustomFunctions>;
      /** Kinds beside the built-in ones of a version. */
      readonly others?: readonly Resource[];
    },
  ) {
    this.#store = store;
    this.#custom = options.custom;
    this.#others = options.others ?? [];
    this.#minor = options.minor;
    this.#builtIn = builtInResources(options.minor);
    store.collection(definitionsCollection).subscribe(() => {
      this.#served = undefined;
    });
  }

  /** The minor version whose kinds are served. */
  get minor(): number {
    return this.#minor;
  }

  setMinor(minor: number): void {
    this.#minor = minor;
    this.#builtIn = builtInResources(minor);
    this.#served = undefined;
  }

  find(type: { readonly group: string; readonly version: string; readonly plural: string }): Resource | undefined {
    return this.#all().get(resourceTypeKey(type));
  }

  findKind(apiVersion: string, kind: string): Resource | undefined {
    return this.resources().find((resource) => resource.kind === kind && groupVersion(resource) === apiVersion);
  }

  /** The first served version of a collection. */
  byCollection(collection: string): Resource | undefined {
    return this.resources().find((resource) => resource.collection === collection);
  }

  resources(): readonly Resource[] {
    return [...this.#all().values()];
  }

  /** Whether a webhook converts the objects of some kind. */
  get hasConversions(): boolean {
    this.#all();
    return this.#hasConversions;
  }

  isBuiltInGroup(group: string): boolean {
    return this.#builtIn.some((resource) => resource.group === group);
  }

  #isCustomGroup(group: string): boolean {
    return !this.isBuiltInGroup(group) && !this.#others.some((resource) => resource.group === group);
  }

  /** Built-in groups in their fixed order, beginning with the core group, then custom groups by version and name. */
  groups(): readonly ApiGroup[] {
    const versions = new Map<string, Set<string>>();
    for (const { group, version } of this.resources()) {
      versions.set(group, (versions.get(group) ?? new Set()).add(version));
    }
    const groups = [...versions].map(([name, found]) => ({ name, versions: [...found].toSorted(compareApiVersions) }));
    const isCustom = ({ name }: ApiGroup): boolean => this.#isCustomGroup(name);
    const custom = groups.filter(isCustom).toSorted(byTextOf(({ name, versions: [first] }) => `${first}.${name}`));
    return groups.map((group) => (isCustom(group) ? (custom.shift() ?? group) : group));
  }

  #all(): ReadonlyMap<string, Resource> {
    return (this.#served ??= this.#collect());
  }

  #collect(): ReadonlyMap<string, Resource> {
    const custom = this.#customResources();
    this.#hasConversions = custom.some((resource) => resource.custom?.conversion !== undefined);
    const all = [...this.#builtIn, ...custom, ...this.#others];
    return new Map(all.map((resource) => [resourceTypeKey(resource), resource]));
  }

  #customResources(): readonly Resource[] {
    const definitions = this.#store.collection(definitionsCollection).list() as readonly StoredDefinition[];
    return definitions
      .flatMap((definition) => customResources(definition, this.#custom.get(definition.metadata.name)))
      .toSorted(
        inOrder(
          byTextOf(({ group }) => group),
          byTextOf(({ plural }) => plural),
        ),
      );
  }
}

const resourceTypeKey = ({ group, version, plural }: { group: string; version: string; plural: string }): string =>
  `${group}/${version}/${plural}`;
