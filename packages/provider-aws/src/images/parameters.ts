import { GetParameterCommand } from '@aws-sdk/client-ssm';
import { fromTimestamp, type Instant, instant } from '@nodewright/apis';
import { isNotFound } from '../calls/error-codes.ts';
import type { AwsContext } from '../context.ts';

export type ImageParameter = { readonly imageId: string; readonly modifiedAt: Instant };

/**
 * The image id in an SSM parameter; `undefined` when there is no such parameter or it holds none.
 * Every other failure is thrown: it says nothing about the parameter.
 */
export async function imageParameter(
  { call, clients }: AwsContext,
  name: string,
  signal: AbortSignal,
): Promise<ImageParameter | undefined> {
  try {
    const { Parameter } = await call(
      (options) => clients.ssm.send(new GetParameterCommand({ Name: name }), options),
      signal,
    );
    const { Value: imageId, LastModifiedDate } = Parameter ?? {};
    if (imageId === undefined || !imageId.startsWith('ami-')) return undefined;
    return {
      imageId,
      modifiedAt:
        LastModifiedDate === undefined ? fromTimestamp('1970-01-01T00:00:00Z') : instant(LastModifiedDate.getTime()),
    };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
