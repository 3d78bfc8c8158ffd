import { GetParameterCommand, GetParametersByPathCommand, type Parameter } from '@aws-sdk/client-ssm';
import { type Instant, instant } from '@nodewright/apis';
import { isNotFound } from '../calls/error-codes.ts';
import type { AwsContext } from '../context.ts';
import { allPages } from '../selection/pages.ts';

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
    return imageIn(Parameter ?? {});
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A parameter below a path, by its full name. */
export type NamedParameter = ImageParameter & { readonly name: string };

/** Every parameter below a path that holds an image id. */
export async function imageParametersBelow(
  { call, clients }: AwsContext,
  path: string,
  signal: AbortSignal,
): Promise<readonly NamedParameter[]> {
  const pages = await allPages((NextToken) =>
    call(
      (options) =>
        clients.ssm.send(new GetParametersByPathCommand({ Path: path, Recursive: true, NextToken }), options),
      signal,
    ),
  );
  return pages.flatMap(({ Parameters = [] }) =>
    Parameters.flatMap((parameter) => {
      const image = imageIn(parameter);
      return image === undefined ? [] : [{ ...image, name: parameter.Name ?? '' }];
    }),
  );
}

function imageIn({ Value: imageId, LastModifiedDate }: Parameter): ImageParameter | undefined {
  if (imageId === undefined || !imageId.startsWith('ami-')) return undefined;
  return { imageId, modifiedAt: instant(LastModifiedDate?.getTime() ?? 0) };
}
