import { type EC2NodeClass, readOwn } from '@nodewright/apis';
import type { Aws } from '@nodewright/aws-endpoints';

export type AccountSetup = {
  readonly aws: Aws;
  readonly clusterName: string;
  /** Resources and tags that a class selects already, as `ID KEY`: their values stay. */
  readonly selectedTags: Set<string>;
  /** Told what stands in for something of the team's own account. */
  readonly remark: (line: string) => void;
};

/** The name of the cluster that node classes name in their discovery tags; undefined when none does. */
export function findClusterName(nodeClasses: readonly EC2NodeClass[]): string | undefined {
  for (const { spec } of nodeClasses) {
    for (const { tags } of [...(spec.subnetSelectorTerms ?? []), ...(spec.securityGroupSelectorTerms ?? [])]) {
      const value = tags?.['karpenter.sh/discovery'];
      if (value !== undefined && /^[a-zA-Z0-9][a-zA-Z0-9-]{0,99}$/.test(value)) return value;
    }
  }
  return undefined;
}

/**
 * Gives the account what node classes name: tags of subnets and groups, roles and profiles.
 * @returns the node class with the ids of the team's own account replaced
 */
export function prepareAccount(nodeClass: EC2NodeClass, setup: AccountSetup): EC2NodeClass {
  const { spec } = nodeClass;
  if (spec.role !== undefined) ensureRole(spec.role, setup);
  if (spec.instanceProfile !== undefined) ensureProfile(spec.instanceProfile, setup);
  return {
    ...nodeClass,
    spec: {
      ...spec,
      ...(spec.subnetSelectorTerms && { subnetSelectorTerms: subnetTerms(nodeClass, setup) }),
      ...(spec.securityGroupSelectorTerms && { securityGroupSelectorTerms: groupTerms(nodeClass, setup) }),
      ...ownImageTerms(nodeClass, setup),
    },
  };
}

function ensureRole(role: string, { aws: { iam } }: AccountSetup): void {
  const [like] = iam.roles();
  if (like === undefined || iam.roles().some(({ name }) => name === role)) return;
  iam.createRole({ name: role, trust: like.trust, path: '/' });
}

function ensureProfile(profile: string, setup: AccountSetup): void {
  const { iam } = setup.aws;
  if (iam.findProfile(profile) !== undefined) return;
  iam.createProfile({ name: profile, path: '/', tags: {} });
  const [role] = iam.roles();
  if (role !== undefined) iam.addRole(profile, role.name);
}

type WrittenTerm = { readonly tags?: Readonly<Record<string, string>>; readonly id?: string; readonly name?: string };

function subnetTerms(nodeClass: EC2NodeClass, setup: AccountSetup) {
  const terms = nodeClass.spec.subnetSelectorTerms ?? [];
  const nodeSubnets = setup.aws.ec2.network.subnets.filter((subnet) => !subnet.public);
  return adaptTerms(terms, { nodeClass, setup, what: 'subnets', resources: nodeSubnets.map(({ id }) => id) });
}

function groupTerms(nodeClass: EC2NodeClass, setup: AccountSetup) {
  const terms = nodeClass.spec.securityGroupSelectorTerms ?? [];
  // Teams tag groups of their own, so the tags of terms do not go to the default group of the VPC.
  const groups = setup.aws.ec2.network.securityGroups.filter(({ name }) => name !== 'default');
  const resources = groups.map(({ id }) => id);
  return adaptTerms(terms, { nodeClass, setup, what: 'security groups', resources });
}

type Adaption = {
  readonly nodeClass: EC2NodeClass;
  readonly setup: AccountSetup;
  readonly what: string;
  readonly resources: readonly string[];
};

/** Tags are put where terms look for them; ids and names of the team's own network stand for the network of the scenario. */
function adaptTerms(written: readonly WrittenTerm[], adaption: Adaption): WrittenTerm[] {
  const { nodeClass, setup, what } = adaption;
  const terms = written.map((term) =>
    term.tags === undefined ? term : { ...term, tags: tagResources(term.tags, adaption) },
  );
  const own = terms.filter(({ id, name }) => id !== undefined || name !== undefined);
  if (own.length === 0) return terms;
  setup.remark(
    `EC2NodeClass ${nodeClass.metadata.name}: ${what} named by id or name are those of another account; the scenario takes its own`,
  );
  const discovery = { tags: { 'karpenter.sh/discovery': setup.clusterName } };
  return [...terms.filter((term) => !own.includes(term)), discovery];
}

/**
 * Puts the tags of a term on the resources. A resource has one value of a key: the first class that names the key has its value
 * there, and classes with other values select the same resources by any value.
 * @returns the tags by which the term finds them
 */
function tagResources(
  tags: Readonly<Record<string, string>>,
  { nodeClass, setup, what, resources }: Adaption,
): Readonly<Record<string, string>> {
  const book = setup.aws.ec2.tags;
  const { selectedTags } = setup;
  const found = Object.entries(tags).map(([key, pattern]): readonly [string, string] => {
    const select = (ids: readonly string[]): readonly [string, string] => {
      for (const id of ids) selectedTags.add(`${id} ${key}`);
      return [key, pattern];
    };
    const matching = resources.filter((id) => matchesTag(readOwn(book.of(id), key), pattern));
    if (matching.length > 0) return select(matching);
    const free = resources.filter((id) => !selectedTags.has(`${id} ${key}`));
    for (const id of free) book.add(id, { [key]: pattern.replaceAll('*', '') });
    if (free.length > 0) return select(free);
    setup.remark(
      `EC2NodeClass ${nodeClass.metadata.name}: the ${what} of the scenario have another value of the tag ${key} than "${pattern}"; they stand for its own`,
    );
    return [key, '*'];
  });
  return Object.fromEntries(found);
}

const matchesTag = (value: string | undefined, pattern: string): boolean => {
  if (value === undefined) return false;
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, (letter) => `\\${letter}`));
  return new RegExp(`^${parts.join('.*')}$`).test(value);
};

type ImageTerms = Partial<Pick<EC2NodeClass['spec'], 'amiSelectorTerms' | 'amiFamily'>>;

/** Images of the team's own account stand for the newest release of their family. */
function ownImageTerms({ metadata, spec }: EC2NodeClass, setup: AccountSetup): ImageTerms {
  const terms = spec.amiSelectorTerms ?? [];
  const own = terms.filter(({ id, name, tags }) => id !== undefined || tags !== undefined || isOwnName(name));
  if (own.length === 0) return {};
  const family = spec.amiFamily ?? 'AL2023';
  if (family === 'Custom' || family.startsWith('Windows')) return {};
  const alias = `${family.toLowerCase()}@latest`;
  setup.remark(
    `EC2NodeClass ${metadata.name}: images of another account are not known here; the scenario takes ${alias}`,
  );
  const { amiFamily: _family, ...rest } = { amiFamily: spec.amiFamily };
  return { ...rest, amiSelectorTerms: [{ alias }] };
}

/** Names of public EKS images are known here. */
const isOwnName = (name: string | undefined): boolean =>
  name !== undefined && !/^(amazon-eks|bottlerocket-aws)/.test(name);
