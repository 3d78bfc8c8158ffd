import { joiningUserData } from '@nodewright/aws-endpoints';
import { familyByAlias } from '../versions/family-by-alias.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

type SnapshotTemplate = Snapshot['aws']['launchTemplates'][number];

type TemplateRewriting = {
  readonly rewrite: <T>(value: T) => T;
  readonly images: Snapshot['aws']['images'];
  /** As it is called in the redacted snapshot. */
  readonly clusterName: string;
};

/** The templates from which node groups launch. In place of what nodes are told they get what joins the cluster, and no more. */
export const redactGroupTemplates = (
  templates: readonly SnapshotTemplate[],
  rewriting: TemplateRewriting,
): readonly SnapshotTemplate[] =>
  templates.flatMap(({ versions, data, ...template }) =>
    versions === undefined
      ? []
      : {
          ...rewriting.rewrite(template),
          data: reduceData(data, rewriting),
          versions: versions.map(({ data: each, ...version }) => ({
            ...rewriting.rewrite(version),
            data: reduceData(each, rewriting),
          })),
        },
  );

type LaunchData = {
  readonly ImageId?: string;
  readonly InstanceType?: string;
  readonly SecurityGroupIds?: readonly string[];
  readonly IamInstanceProfile?: object;
  readonly UserData?: string;
};

function reduceData(data: LaunchData, { rewrite, images, clusterName }: TemplateRewriting): object {
  const { ImageId, InstanceType, SecurityGroupIds, IamInstanceProfile, UserData } = data;
  const found = images.find(({ alias, images: each }) => alias !== undefined && each.some(({ id }) => id === ImageId));
  return {
    ...rewrite({ ImageId, InstanceType, SecurityGroupIds, IamInstanceProfile }),
    ...(UserData === undefined ? {} : { UserData: joiningUserData(familyByAlias(found?.alias), clusterName) }),
  };
}
