import { byText, type NodeGroup, nodeGroups } from '@nodewright/apis';
import type { AccountReading } from '@nodewright/provider-aws';
import { type ClusterObjects, snapshotObjects } from './read-cluster-objects.ts';

/** The images that node groups run and may go to. */
export type ImagesOfGroups = {
  /** `al2023@latest` for every family. */
  readonly aliases: readonly string[];
  /** Minors of Kubernetes that managed groups run. */
  readonly minors: readonly string[];
  /** Ids that instances and launch templates name. */
  readonly images: readonly string[];
};

export function listGroupImages(kubernetes: ClusterObjects, account: AccountReading): ImagesOfGroups {
  const { managedGroups = [], scalingGroups = [], launchTemplates, instances } = account;
  const members = new Set(scalingGroups.flatMap((group) => group.instances.map(({ id }) => id)));
  const templates = new Set(scalingGroups.map(({ template }) => template.id));
  const families = [
    ...managedGroups.flatMap(({ amiType }) => aliasFamilies(amiType)),
    ...snapshotObjects(kubernetes, nodeGroups).flatMap(familiesOfTerms),
  ];
  return {
    aliases: distinct(families.map((family) => `${family}@latest`)),
    minors: distinct(managedGroups.map(({ version }) => version)),
    images: distinct([
      ...instances.filter(({ id }) => members.has(id)).map(({ imageId }) => imageId),
      ...launchTemplates
        .filter(({ id }) => templates.has(id))
        .flatMap(({ versions = [] }) =>
          versions.map(({ data }) => (data as { readonly ImageId?: string }).ImageId ?? ''),
        ),
    ]),
  };
}

/** `al2023` of `AL2023_x86_64_STANDARD`, `windows2022` of `WINDOWS_CORE_2022_x86_64`. */
function aliasFamilies(amiType: string): readonly string[] {
  const family = /^(?:AL2023|AL2|BOTTLEROCKET)(?=_)/.exec(amiType)?.[0];
  const windows = /^WINDOWS_[A-Z]+_(\d{4})_/.exec(amiType)?.[1];
  return windows === undefined ? (family?.toLowerCase().split(' ') ?? []) : [`windows${windows}`];
}

const familiesOfTerms = ({ spec }: NodeGroup): readonly string[] =>
  (spec.image?.amiSelectorTerms ?? []).flatMap(({ alias }) => alias?.split('@', 1) ?? []);

const distinct = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts.filter((text) => text !== '' && !text.startsWith('resolve:')))].toSorted(byText);
