import {
  CreateManagedPrefixList$,
  DeleteManagedPrefixList$,
  DescribeManagedPrefixLists$,
  DescribePrefixLists$,
  GetManagedPrefixListAssociations$,
  GetManagedPrefixListEntries$,
  ModifyManagedPrefixList$,
  RestoreManagedPrefixListVersion$,
} from '@aws-sdk/client-ec2';
import type { AwsOperation } from '../service.ts';
import {
  describeManagedPrefixLists,
  describePrefixLists,
  getPrefixListUsers,
  getPrefixListEntries,
} from './describe-prefix-lists.ts';
import type { Ec2 } from './model.ts';
import { operationKinds } from './operation-kinds.ts';
import {
  createPrefixList,
  deletePrefixList,
  changePrefixList,
  restorePrefixListVersion,
} from './prefix-list-operations.ts';

/** The calls about prefix lists. */
export function listPrefixListCalls(ec2: Ec2): readonly AwsOperation[] {
  const { read, write } = operationKinds(ec2);
  return [
    write(CreateManagedPrefixList$, createPrefixList),
    write(DeleteManagedPrefixList$, deletePrefixList),
    read(DescribeManagedPrefixLists$, describeManagedPrefixLists),
    read(DescribePrefixLists$, describePrefixLists),
    read(GetManagedPrefixListAssociations$, getPrefixListUsers),
    read(GetManagedPrefixListEntries$, getPrefixListEntries),
    write(ModifyManagedPrefixList$, changePrefixList),
    write(RestoreManagedPrefixListVersion$, restorePrefixListVersion),
  ];
}
