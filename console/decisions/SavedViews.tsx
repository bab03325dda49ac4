import { useMutation, useQuery } from '@tanstack/react-query'
import { Bookmark, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { type DecisionSearch, decisionSearch } from '../routes/search.ts'
import { queryClient, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '../ui/overlay/Menu.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { filtersOf } from './api.ts'

const PAGE = { page: 'decisions' } as const

/** The member's saved filters: opens, saves and deletes them. */
export function SavedViews({ search, onOpen }: { search: DecisionSearch; onOpen: (search: DecisionSearch) => void }) {
  const { slug } = useTenant()
  const [naming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const { data: views = [] } = useQuery(trpc.views.list.queryOptions({ tenant: slug, ...PAGE }))
  const refresh = () => queryClient.invalidateQueries(trpc.views.pathFilter())
  const save = useMutation(
    trpc.views.save.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ name }) => {
        setNaming(false)
        toast(`Saved view “${name}”`)
        await refresh()
      },
    }),
  )
  const restore = useMutation(trpc.views.save.mutationOptions({ onSuccess: refresh }))
  const deleteView = useMutation(trpc.views.delete.mutationOptions({ onSuccess: refresh }))

  const remove = (view: (typeof views)[number]) =>
    deleteView.mutate(
      { tenant: slug, ...PAGE, name: view.name },
      {
        onSuccess: () =>
          toast(`Deleted view “${view.name}”`, {
            undo: () =>
              restore.mutate({ tenant: slug, ...PAGE, name: view.name, search: savedSearch(parseSearch(view.search)) }),
          }),
      },
    )
  return (
    <>
      <Menu
        trigger={
          <Button>
            <Bookmark size={14} aria-hidden />
            Views
          </Button>
        }
      >
        {views.length > 0 && (
          <>
            <MenuGroup label="Your views">
              {views.map((view) => (
                <MenuItem key={view.id} onClick={() => onOpen(parseSearch(view.search))}>
                  {view.name}
                </MenuItem>
              ))}
            </MenuGroup>
            <MenuSeparator />
          </>
        )}
        <MenuItem
          icon={Plus}
          onClick={() => {
            setName('')
            save.reset()
            setNaming(true)
          }}
        >
          Save this view…
        </MenuItem>
        {views.map((view) => (
          <MenuItem key={view.id} icon={Trash2} danger onClick={() => remove(view)}>
            Delete “{view.name}”
          </MenuItem>
        ))}
      </Menu>
      <FormDialog
        open={naming}
        onClose={() => setNaming(false)}
        title="Save this view"
        description="Saves the filters and the period. Only you can see it. A view with the same name is replaced."
        submit="Save view"
        busy={save.isPending}
        error={save.error}
        reason={name.trim() === '' ? 'Enter a name.' : undefined}
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') save.mutate({ tenant: slug, ...PAGE, name, search: savedSearch(search) })
        }}
      >
        <TextField label="Name" value={name} onChange={({ target }) => setName(target.value)} autoComplete="off" />
      </FormDialog>
    </>
  )
}

/** Drops filters that this version does not know. */
const parseSearch = (search: unknown): DecisionSearch => {
  const { success, data } = decisionSearch.safeParse(search)
  return success ? data : {}
}

const savedSearch = (search: DecisionSearch): Record<string, string | number | boolean> => {
  const { period, from, to } = search
  return Object.fromEntries(
    Object.entries({ ...filtersOf(search), period, from, to }).filter((entry) => entry[1] !== undefined),
  ) as Record<string, string | number | boolean>
}
