import { Prisma } from '../../prisma/client/client.ts'

/** Whose rows a list returns. `sites`: of an API key that sees only these; undefined: all. */
export type TenantSites = { readonly id: string; readonly sites?: readonly string[] | undefined }

/** That the row with this column is of one of the sites; false for all sites. */
export const ofSites = ({ sites }: Pick<TenantSites, 'sites'>, column: Prisma.Sql): Prisma.Sql | false =>
  sites !== undefined && Prisma.sql`${column} = any(${[...sites]}::uuid[])`

/**
 * The rows of a statement that orders and limits them: for all sites, or for each site of the key, so that each reads the index of
 * its site in its order, and no rows of others. `select` gets the condition for the site.
 */
export const ofEachSite = (
  { sites }: Pick<TenantSites, 'sites'>,
  column: Prisma.Sql,
  select: (isOfSite: Prisma.Sql) => Prisma.Sql,
): Prisma.Sql =>
  sites === undefined
    ? select(Prisma.sql`true`)
    : Prisma.join(
        sites.map((site) => Prisma.sql`(${select(Prisma.sql`${column} = ${site}::uuid`)})`),
        ' union all ',
      )
