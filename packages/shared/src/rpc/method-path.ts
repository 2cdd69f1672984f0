import type { DescMethod } from '@bufbuild/protobuf'

/** The path of a method's requests, the same for gRPC and Connect. */
export function methodPath({ parent, name }: DescMethod): string {
  return `/${parent.typeName}/${name}`
}
