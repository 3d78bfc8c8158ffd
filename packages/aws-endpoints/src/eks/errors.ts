import { AwsError } from '../codec/aws-error.ts';

/** EKS's refusals: its exceptions, with the members that clients read. */

export const noSuchCluster = (name: string): AwsError =>
  new AwsError('ResourceNotFoundException', `No cluster found for name: ${name}.`, {
    status: 404,
    details: { clusterName: name },
  });

export const noSuchUpdate = (clusterName: string, id: string): AwsError =>
  new AwsError('ResourceNotFoundException', `No update found for ID: ${id}`, { status: 404, details: { clusterName } });

export const noSuchNodegroup = (clusterName: string, nodegroupName: string): AwsError =>
  new AwsError('ResourceNotFoundException', `No node group found for name: ${nodegroupName}.`, {
    status: 404,
    details: { clusterName, nodegroupName },
  });

export const noSuchAddon = (clusterName: string, addonName: string): AwsError =>
  new AwsError('ResourceNotFoundException', `No addon: ${addonName} found in cluster: ${clusterName}`, {
    status: 404,
    details: { clusterName, addonName },
  });

export const updateRunning = (clusterName: string, updateId: string): AwsError =>
  new AwsError(
    'ResourceInUseException',
    `Cannot update because cluster ${clusterName} currently has update ${updateId} in progress`,
    { status: 409, details: { clusterName } },
  );

export const eksBadToken = (token: string): AwsError =>
  new AwsError('InvalidParameterException', `Invalid value for nextToken: ${token}`);

/** A value that is wrong, or does not go together with another one. */
export const invalidParameter = (place: GroupPlace, message: string): AwsError =>
  new AwsError('InvalidParameterException', message, { details: { ...place } });

/** Right values at the wrong time. */
export const invalidRequest = (place: GroupPlace, message: string): AwsError =>
  new AwsError('InvalidRequestException', message, { details: { ...place } });

export const inUse = (place: GroupPlace, message: string): AwsError =>
  new AwsError('ResourceInUseException', message, { status: 409, details: { ...place } });

/** Writes the error of a service that EKS asked, as EKS passes it on. */
export const writeErrorOfService = (service: 'AmazonEC2' | 'Iam', { code, message, status }: AwsError): string =>
  `${message} (Service: ${service}; Status Code: ${status}; Error Code: ${code})`;

/** Where a refusal belongs to. */
export type GroupPlace = { readonly clusterName?: string; readonly nodegroupName?: string };
