/** The key pair with which a client signs its requests. */
export type AccessKey = { readonly accessKeyId: string; readonly secretAccessKey: string };
