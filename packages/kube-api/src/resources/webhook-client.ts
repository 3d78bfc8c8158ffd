/** Where a webhook is reached. */
export type WebhookClientConfig = {
  readonly url?: string;
  /** Base64 of PEM. */
  readonly caBundle?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
};
