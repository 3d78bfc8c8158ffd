import { type Instant, seconds } from '@nodewright/apis';
import type { Ledger } from '@nodewright/runtime';
import { derivedId } from './derived-ids.ts';

export type PrefixListItem = { readonly cidr: string; readonly description?: string };

/** A prefix list of the account. Its versions are numbered from 1. */
export type KeptPrefixList = {
  readonly id: string;
  readonly name: string;
  readonly family: 'IPv4' | 'IPv6';
  readonly maxEntries: number;
  readonly versions: readonly (readonly PrefixListItem[])[];
  readonly changed: { readonly by: 'create' | 'modify' | 'restore'; readonly at: Instant };
};

/** How long EC2 takes to make or change a list. */
const changingMs = seconds(3);

export const isPrefixListChanging = ({ changed }: KeptPrefixList, now: Instant): boolean =>
  now - changed.at < changingMs;

/** The prefix lists of the account, by id, in the order in which they were made. */
export const prefixListsIn = (ledger: Ledger): Map<string, KeptPrefixList> => ledger.map('ec2/prefix-lists');

/** A prefix list of AWS. */
export type AwsPrefixList = {
  readonly id: string;
  readonly name: string;
  /** Whether endpoints of type Gateway lead to it, so that DescribePrefixLists has it. */
  readonly isGateway: boolean;
  readonly cidrs: readonly string[];
};

type ListOfService = Omit<AwsPrefixList, 'id' | 'name'> & { readonly idHere: string };

/** The lists of each region, with their ids and addresses in us-east-1. */
const listsOfServices: ReadonlyMap<string, ListOfService> = new Map([
  [
    's3',
    {
      idHere: 'pl-63a5400a',
      isGateway: true,
      cidrs: ['54.231.0.0/16', '52.216.0.0/15', '3.5.0.0/19', '18.34.0.0/19', '16.15.176.0/20'],
    },
  ],
  [
    'dynamodb',
    { idHere: 'pl-02cd2c6b', isGateway: true, cidrs: ['3.218.180.0/22', '52.94.0.0/22', '52.119.224.0/20'] },
  ],
  ['ec2-instance-connect', { idHere: 'pl-0e4bcff02b13bef1e', isGateway: false, cidrs: ['18.206.107.24/29'] }],
]);

const cloudFront: ListOfService = {
  idHere: 'pl-3b927c52',
  isGateway: false,
  cidrs: ['13.32.0.0/15', '13.35.0.0/16', '18.64.0.0/14', '52.84.0.0/15', '130.176.0.0/17'],
};

/** Lists what AWS has in a region. The addresses are those of us-east-1 everywhere. */
export const listAwsPrefixLists = (region: string): readonly AwsPrefixList[] => [
  ...[...listsOfServices].map(([service, list]) => placeList(`com.amazonaws.${region}.${service}`, list, region)),
  placeList('com.amazonaws.global.cloudfront.origin-facing', cloudFront, region),
];

const placeList = (name: string, { idHere, ...list }: ListOfService, region: string): AwsPrefixList => ({
  ...list,
  name,
  id: region === 'us-east-1' ? idHere : derivedId('pl', name, region),
});

/** The id of the list of addresses that a service has in its region, as routes name it. */
export function prefixListOf(serviceName: string): string {
  const [, , region = ''] = serviceName.split('.');
  return listAwsPrefixLists(region).find(({ name }) => name === serviceName)?.id ?? derivedId('pl', serviceName);
}
