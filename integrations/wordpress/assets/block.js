// The block "Tollgate" in the editor. The page's HTML comes from the server.
;(({ blocks, element, blockEditor, components, i18n }) => {
  const { createElement } = element
  const { __ } = i18n

  blocks.registerBlockType('tollgate/field', {
    apiVersion: 2,
    title: 'Tollgate',
    description: __('The verification for a form that calls tollgate_verify().', 'tollgate'),
    category: 'widgets',
    icon: 'shield',
    supports: { html: false },
    attributes: { action: { type: 'string', default: 'form' } },
    edit({ attributes, setAttributes }) {
      const name = createElement(components.TextControl, {
        label: __('What the form does', 'tollgate'),
        help: __('Letters, digits, “-” and “_”, such as “contact”. The same as in tollgate_verify().', 'tollgate'),
        value: attributes.action,
        onChange: (action) => setAttributes({ action: action.replace(/[^\w-]/g, '').slice(0, 64) }),
      })
      return createElement(
        'div',
        blockEditor.useBlockProps(),
        createElement(components.Placeholder, { icon: 'shield', label: 'Tollgate' }, name),
      )
    },
    save: () => null,
  })
})(window.wp)
