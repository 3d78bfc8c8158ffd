import type {
  DescribeAddonConfigurationRequest,
  DescribeAddonConfigurationResponse,
  DescribeAddonVersionsRequest,
  DescribeAddonVersionsResponse,
} from '@aws-sdk/client-eks';
import { partitionOfRegion } from '@nodewright/apis';
import { takePage } from '../../../paging.ts';
import { findAddonKind, listAddonKinds } from '../../addons/addon-versions.ts';
import { invalidParameter } from '../../errors.ts';
import type { Eks } from '../../model.ts';
import { versionsAt } from '../../versions.ts';
import { eksPage } from '../page.ts';
import { writeAddonKind } from './on-the-wire.ts';

export function describeAddonVersions(
  { clusters }: Eks,
  request: DescribeAddonVersionsRequest,
): DescribeAddonVersionsResponse {
  const { addonName, types, publishers, owners, kubernetesVersion } = request;
  const asked = versionsAt(clusters.now()).filter(({ version }) => version === (kubernetesVersion ?? version));
  const found = listAddonKinds()
    .filter(({ name }) => name === (addonName ?? name))
    .map((kind) => writeAddonKind(kind, asked.toReversed()))
    .filter(({ addonVersions = [] }) => addonVersions.length > 0)
    .filter(
      ({ type = '', publisher = '', owner = '' }) =>
        allows(types, type) && allows(publishers, publisher) && allows(owners, owner),
    );
  if (addonName !== undefined && findAddonKind(addonName) === undefined)
    throw invalidParameter({}, `Addon ${addonName} is not supported.`);
  const { items, next } = takePage(found, eksPage(request));
  return { addons: [...items], ...(next && { nextToken: next }) };
}

const allows = (wanted: readonly string[] | undefined, value: string): boolean =>
  wanted === undefined || wanted.length === 0 || wanted.includes(value);

/** The sandbox holds no configuration of an add-on against a schema, so that every object is one. */
const anyConfiguration = JSON.stringify({ $schema: 'http://json-schema.org/draft-06/schema#', type: 'object' });

export function describeAddonConfiguration(
  { account }: Eks,
  { addonName = '', addonVersion = '' }: DescribeAddonConfigurationRequest,
): DescribeAddonConfigurationResponse {
  const kind = findAddonKind(addonName);
  if (kind?.versions.some(({ version }) => version === addonVersion) !== true)
    throw invalidParameter({}, `Addon ${addonName} with version ${addonVersion} is not supported.`);
  const { identity } = kind;
  const partition = partitionOfRegion(account.region).name;
  return {
    addonName,
    addonVersion,
    configurationSchema: anyConfiguration,
    ...(identity !== undefined && {
      podIdentityConfiguration: [
        {
          serviceAccount: identity.serviceAccount,
          recommendedManagedPolicies: [`arn:${partition}:iam::aws:policy/${identity.policy}`],
        },
      ],
    }),
  };
}
