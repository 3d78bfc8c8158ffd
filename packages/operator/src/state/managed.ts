import { ec2NodeClasses, type NodeClassReference } from '@nodewright/apis';

/** Whether the NodeClass is of the one kind we serve; objects of other kinds are left alone. */
export const isManagedNodeClass = ({ group, kind }: NodeClassReference): boolean =>
  group === ec2NodeClasses.group && kind === ec2NodeClasses.kind;
