import { byText, type NodeGroup, nodeGroups } from '@nodewright/apis';
import { type AccountReading, imageKindOf } from '@nodewright/provider-aws';
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
    ...managedGroups.flatMap(({ amiType }) => imageKindOf(amiType)?.family ?? []),
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

const familiesOfTerms = ({ spec }: NodeGroup): readonly string[] =>
  (spec.image?.amiSelectorTerms ?? []).flatMap(({ alias }) => alias?.split('@', 1) ?? []);

const distinct = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts.filter((text) => text !== '' && !text.startsWith('resolve:')))].toSorted(byText);
