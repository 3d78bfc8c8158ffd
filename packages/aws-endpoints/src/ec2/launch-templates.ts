import type { LaunchTemplateSpecification, RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { byTextOf, type Instant } from '@nodewright/apis';
import type { Clock, Random, Ledger } from '@nodewright/runtime';
import {
  invalidCombination,
  malformedTemplateId,
  missingParameter,
  noSuchTemplateId,
  noSuchTemplateName,
  noSuchTemplateVersion,
  templateNameTaken,
} from './errors.ts';
import type { TagBook, TagSet } from './tags.ts';

export type LaunchTemplateVersion = {
  readonly number: number;
  readonly description?: string;
  readonly createdAt: Instant;
  readonly data: RequestLaunchTemplateData;
};

export type LaunchTemplate = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
  readonly defaultVersion: number;
  /** Oldest first; there is always one. */
  readonly versions: readonly LaunchTemplateVersion[];
  /** The greatest number that was deleted: none is used again. */
  readonly highest?: number;
};

type NewTemplate = { readonly name: string; readonly description?: string; readonly data: RequestLaunchTemplateData };

/** Names a template by id or by name. */
export type TemplateKey = Pick<LaunchTemplateSpecification, 'LaunchTemplateId' | 'LaunchTemplateName'>;

type LaunchTemplatesDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly tags: TagBook;
  readonly ledger: Ledger;
};

/** The launch templates of the account; names are unique. */
export class LaunchTemplateModel {
  readonly #deps: LaunchTemplatesDeps;
  readonly #byId: Map<string, LaunchTemplate>;

  constructor(deps: LaunchTemplatesDeps) {
    this.#deps = deps;
    this.#byId = deps.ledger.map('ec2/launch-templates');
  }

  /** Lists the templates, sorted by name. */
  all(): readonly LaunchTemplate[] {
    return [...this.#byId.values()].toSorted(byTextOf(({ name }) => name));
  }

  checkName(name: string): void {
    if (this.#named(name) !== undefined) throw templateNameTaken();
  }

  create({ name, description, data }: NewTemplate, tags: TagSet): LaunchTemplate {
    this.checkName(name);
    const createdAt = this.#deps.clock.now();
    const first = { number: 1, createdAt, data, ...(description !== undefined && { description }) };
    const id = `lt-0${this.#deps.random.hex(16)}`;
    const template = { id, name, createdAt, defaultVersion: 1, versions: [first] };
    this.#byId.set(id, template);
    this.#deps.tags.add(id, tags);
    return template;
  }

  /** @throws AwsError for a template that does not exist, with the code for an id or for a name */
  find({ LaunchTemplateId: id, LaunchTemplateName: name }: TemplateKey): LaunchTemplate {
    if (id !== undefined && name !== undefined)
      throw invalidCombination('The parameters LaunchTemplateId and LaunchTemplateName cannot be used together');
    if (id !== undefined) {
      if (!/^lt-[0-9a-f]{8,17}$/.test(id)) throw malformedTemplateId(id);
      const found = this.#byId.get(id);
      if (found === undefined) throw noSuchTemplateId(id);
      return found;
    }
    if (name === undefined) throw missingParameter('LaunchTemplateId or LaunchTemplateName');
    const found = this.#named(name);
    if (found === undefined) throw noSuchTemplateName(name);
    return found;
  }

  /** Finds a version by `$Latest`, `$Default` or its number; the default version where none is named. */
  version(specification: LaunchTemplateSpecification): LaunchTemplateVersion {
    const template = this.find(specification);
    return findTemplateVersion(template, specification.Version ?? '$Default');
  }

  /** Adds a version. The numbers of deleted versions are not used again. */
  addVersion(key: TemplateKey, { description, data }: Omit<NewTemplate, 'name'>): LaunchTemplateVersion {
    const template = this.find(key);
    const number = Math.max(latestNumber(template), template.highest ?? 0) + 1;
    const version = {
      number,
      createdAt: this.#deps.clock.now(),
      data,
      ...(description !== undefined && { description }),
    };
    this.#byId.set(template.id, { ...template, versions: [...template.versions, version] });
    return version;
  }

  setDefault(key: TemplateKey, number: string): LaunchTemplate {
    const template = this.find(key);
    const changed = { ...template, defaultVersion: findTemplateVersion(template, number).number };
    this.#byId.set(template.id, changed);
    return changed;
  }

  /** @throws AwsError when the version is unknown */
  removeVersion(key: TemplateKey, number: string): LaunchTemplateVersion {
    const template = this.find(key);
    const removed = findTemplateVersion(template, number);
    const versions = template.versions.filter((each) => each !== removed);
    const highest = Math.max(latestNumber(template), template.highest ?? 0);
    this.#byId.set(template.id, { ...template, versions, highest });
    return removed;
  }

  remove(key: TemplateKey): LaunchTemplate {
    const template = this.find(key);
    this.#byId.delete(template.id);
    this.#deps.tags.forget(template.id);
    return template;
  }

  #named(name: string): LaunchTemplate | undefined {
    return [...this.#byId.values()].find((template) => template.name === name);
  }
}

export const latestNumber = ({ versions }: LaunchTemplate): number => versions.at(-1)?.number ?? 0;

export function findTemplateVersion(template: LaunchTemplate, asked: string): LaunchTemplateVersion {
  const number =
    asked === '$Latest'
      ? latestNumber(template)
      : asked === '$Default'
        ? template.defaultVersion
        : /^\d+$/.test(asked)
          ? Number(asked)
          : undefined;
  const found = template.versions.find((version) => version.number === number);
  if (found === undefined) throw noSuchTemplateVersion(template.id, asked);
  return found;
}
