// What tables of the window have in common: titled columns with help, numbers at the right, rows of a list; and a filter by words. GUI thread.
#pragma once

#include <functional>
#include <vector>

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QStringList>

namespace paceline {

enum TableRole {  // of cells that are edited
  kFindingRole = Qt::UserRole,  // QString: the finding of the cell; empty: none
  kChoicesRole,                 // QStringList: the choices; empty: any text
  kWarningRole,                 // bool: the finding is no error
  kVariedRole                   // bool: the cell holds a list of values, one for each run
};

class ColumnTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  struct Heading {
    const char* title;
    const char* help = "";
    bool number = false;
  };
  template <class Headings>
  ColumnTable(const Headings& headings, QObject* parent) : QAbstractTableModel(parent), headings_(std::begin(headings), std::end(headings)) {}

  int rowCount(const QModelIndex& parent = {}) const final { return parent.isValid() ? 0 : rows(); }
  int columnCount(const QModelIndex& parent = {}) const final { return parent.isValid() ? 0 : static_cast<int>(headings_.size()); }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const final;

 protected:
  virtual int rows() const = 0;
  virtual QVariant cell(int row, int column, int role) const = 0;  // of a row that there is; alignment is not asked for
  virtual QString help(int column) const { return tr(heading(column).help); }
  const Heading& heading(int column) const { return headings_[static_cast<std::size_t>(column)]; }
  void rowsChanged(int first, int last, const QList<int>& roles = {});
  void allChanged(const QList<int>& roles = {}) { rowsChanged(0, rows() - 1, roles); }

 private:
  std::vector<Heading> headings_;
};

// A column as a row of data: what its cells show, and what its rows are sorted by (nullptr: by what is shown).
template <class Item>
struct ItemColumn : ColumnTable::Heading {
  QString (*shown)(const Item&);
  QVariant (*key)(const Item&) = nullptr;

  QVariant sortKey(const Item& item) const { return key ? key(item) : shown(item).toLower(); }
};

QStringList wordsOf(const QString& typed);
bool hasWords(const QString& text, const QStringList& words);  // all of them, in any case

class WordsFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  using Accepts = std::function<bool(const QModelIndex&)>;
  explicit WordsFilter(int textRole, QObject* parent = nullptr) : QSortFilterProxyModel(parent), textRole_(textRole) {}
  void setWords(const QString& words);
  void setAccepts(Accepts accepts);  // beside the words; empty: all

 private:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const final;

  int textRole_;
  Accepts accepts_;
  QStringList words_;
};

}  // namespace paceline
